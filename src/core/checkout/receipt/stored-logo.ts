import type { Pictures } from '../../merchants/pictures/pictures.ts'
import type { StoredLogo } from './files/receipt-files.ts'

export type StoredPictures = Pick<Pictures, 'byId'>

/** Only stored logos: a receipt doesn't wait for a stranger's server. */
export function storedLogo(pictures: StoredPictures, address: string | undefined): StoredLogo | undefined {
  const [, merchantId, id] = /\/logo\/(\d+)\/([\da-f]{32})$/.exec(address ?? '') ?? []
  if (merchantId === undefined || id === undefined) return undefined
  return { name: `${merchantId} ${id}`, read: async () => pictures.byId(Number(merchantId), id) }
}
