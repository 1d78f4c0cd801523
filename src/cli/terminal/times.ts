import { isTime } from '../../platform/input/fields.ts'
import { text, UsageMistake, type Parsed } from './arguments.ts'

const minuteMs = 60_000
const units: Readonly<Record<string, number>> = {
  min: minuteMs,
  h: 60 * minuteMs,
  d: 24 * 60 * minuteMs,
}

/** Short enough for a table, and true in every time zone; --json has the time itself. */
export function span(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.round(ms / 1000))} s`
  const minutes = Math.round(ms / minuteMs)
  if (minutes < 120) return `${minutes} min`
  return minutes <= 72 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / (24 * 60))} days`
}

/** To the minute, and one word: a program splits lines by spaces. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16)}Z`
}

/** A time such as 2026-11-15T14:05:00Z, or how long ago: 30min, 24h, 7d. */
export function timeOption(parsed: Parsed, name: string, now: Date = new Date()): string | undefined {
  const value = text(parsed, name)
  if (value === undefined) return undefined
  const [, count = '', unit = ''] = /^(\d{1,5}) ?(min|h|d)$/.exec(value) ?? []
  const unitMs = units[unit]
  if (unitMs !== undefined) return new Date(now.getTime() - Number(count) * unitMs).toISOString()
  if (isTime(value)) return value
  throw new UsageMistake(
    `--${name} must be a time such as 2026-11-15T14:05:00Z, or how long ago: 30min, 24h, 7d; but is "${value}"`,
  )
}
