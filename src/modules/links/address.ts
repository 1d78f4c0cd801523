import type { LinkRow } from './store.ts'

// Where a link is found: the number of its merchant and the letters of its id, as in the addresses of payments.

const codeShape = /^(\d{8})([0-9A-Za-z]{16})$/
export const idShape = /^lnk_[0-9A-Za-z]{16}$/

export type LinkKey = { readonly merchantId: number; readonly id: string }

export function linkCode({ merchant_id, id }: Pick<LinkRow, 'merchant_id' | 'id'>): string {
  return `${merchant_id}${id.slice('lnk_'.length)}`
}

export function linkUrl(link: Pick<LinkRow, 'merchant_id' | 'id'>, baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/link/${linkCode(link)}`
}

export function readLinkCode(code: string): LinkKey | undefined {
  const [, merchant, letters] = codeShape.exec(code) ?? []
  return merchant === undefined ? undefined : { merchantId: Number(merchant), id: `lnk_${letters}` }
}
