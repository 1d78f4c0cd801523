import { isTime, type Fields } from './fields.ts'

// Lists that are paged by the last row seen: its time and its name, so that rows of one moment stay in order.

export const perPageDefault = 25
export const perPageMax = 100

export type Place = { readonly at: string; readonly name: string }

export function readPerPage(fields: Fields): number {
  const value = fields.value('per_page')
  if (value === undefined) return perPageDefault
  const number = typeof value === 'string' && /^[0-9]{1,3}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > perPageMax)
    fields.fail('per_page', `must be a whole number from 1 to ${perPageMax}`)
  return number
}

export function makeCursor({ at, name }: Place): string {
  return Buffer.from(`${at} ${name}`).toString('base64url')
}

const cursorShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([\w-]+)$/

/** `names`: what the names of this list look like. */
export function readCursor(fields: Fields, names: RegExp): Place | undefined {
  const value = fields.value('cursor')
  if (value === undefined) return undefined
  const [, at, name] =
    (typeof value === 'string' && cursorShape.exec(Buffer.from(value, 'base64url').toString())) || []
  if (at === undefined || name === undefined || !isTime(at) || !names.test(name))
    return fields.fail('cursor', 'must be the next_cursor of an earlier page')
  return { at, name }
}
