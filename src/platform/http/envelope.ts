import type { Refusal } from '../errors/refusals.ts'
import type { PageEnd } from '../input/cursor.ts'

// The shape of every JSON answer, of both groups.

export type Success<Data> = { readonly status: 'success'; readonly message: string; readonly data: Data }

export function success<Data>(message: string, data: Data): Success<Data> {
  return { status: 'success', message, data }
}

export function failed(refusal: Refusal): object {
  const { message, code, errors, existing } = refusal
  return {
    status: 'failed',
    message,
    data: null,
    code,
    ...(errors && { errors }),
    ...(existing && { existing }),
  }
}

/** Stands beside the data of a list. `asked` is the address as it was sent: the next page keeps its filters. */
export function pageBeside(
  baseUrl: string,
  asked: string,
  { limit, nextCursor }: PageEnd,
): { readonly links: object; readonly meta: object } {
  const next = nextCursor === null ? null : nextPageUrl(baseUrl, asked, nextCursor)
  return { links: { next }, meta: { limit, next_cursor: nextCursor } }
}

function nextPageUrl(baseUrl: string, asked: string, cursor: string): string {
  const [path = '', ...query] = asked.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  parameters.set('cursor', cursor)
  return `${baseUrl}${path}?${parameters.toString()}`
}

export const jsonType = 'application/json; charset=utf-8'
