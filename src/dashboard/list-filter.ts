import { endOfDay } from '../core/merchants/brand/end-of-day.ts'
import { isTime } from '../platform/input/fields.ts'

// Reads list filters from the URL. Invalid filters are ignored.

type Query = Readonly<Record<string, string>>

/** A calendar day as date fields send it, or ''. */
export function dayIn(query: Query, name: string): string {
  const text = query[name] ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text) ? text : ''
}

/** When a day begins in a time zone. What is no day is left for the module to refuse. */
export function beginningOf(day: string, timeZone: string): string {
  return isDay(day) ? endOfDay(dayBefore(day), timeZone).toISOString() : day
}

/** When a day ends in a time zone, so that the last day is included. */
export function endingOf(day: string, timeZone: string): string {
  return isDay(day) ? endOfDay(day, timeZone).toISOString() : day
}

function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && isTime(day)
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)
}

const dayMs = 24 * 3_600_000 // No test: any part of a day leads from its midnight to the day before

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
