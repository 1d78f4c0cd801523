// A link ends with a day, as people say it; the day is the shop's.

/** The moment at which a day ends in a time zone: `2026-11-15`, `Europe/London`. */
export function endOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const wanted = Date.UTC(year, month - 1, date + 1)
  // Twice, as the clock may change between the first guess and the answer.
  const guess = wanted - offsetAt(wanted, timeZone)
  return new Date(wanted - offsetAt(guess, timeZone))
}

/** The last day on which the link is open. */
export function lastDay(endsAt: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  return format.format(new Date(endsAt.getTime() - 1))
}

/** By how much clocks there are before UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0)
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(instant / 1_000) * 1_000
}
