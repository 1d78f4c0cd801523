import { isTime } from '../input/fields.ts'

// What stands in the address of a list, as far as it makes sense: whoever mistypes a filter sees the list without it.

type Query = Readonly<Record<string, string>>

/** A day of the calendar as a field of a form has it, or nothing. */
export function dayIn(query: Query, name: string): string {
  const text = query[name] ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text) ? text : ''
}

const dayMs = 24 * 3_600_000

/** The end of a day: the beginning of the next one. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

/** What somebody looks for, without what no stored text can hold. */
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

/** Only what is set, as a query to a verb of a room. */
export function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value] as [string, string]],
    ),
  )
}
