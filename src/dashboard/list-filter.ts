import { isTime } from '../input/fields.ts'

// Reads list filters from the URL. Invalid filters are ignored.

type Query = Readonly<Record<string, string>>

/** A calendar day as date fields send it, or ''. */
export function dayIn(query: Query, name: string): string {
  const text = query[name] ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text) ? text : ''
}

const dayMs = 24 * 3_600_000

/** The next day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

/** Search text; '' if no stored text could contain it. */
export function textIn(query: Query, name: string, max: number): string {
  const text = (query[name] ?? '').trim()
  return text.length <= max && text.isWellFormed() && !/\p{Cc}/u.test(text) ? text : ''
}

export function choiceIn<Value extends string>(
  query: Query,
  name: string,
  choices: readonly Value[],
): Value | '' {
  return choices.find((one) => one === query[name]) ?? ''
}

/** Only the fields that are set. */
export function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value] as [string, string]],
    ),
  )
}
