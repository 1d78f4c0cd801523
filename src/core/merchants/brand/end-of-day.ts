// Days as people say them: those of the shop's time zone.

/** The moment at which a day ends in a time zone: `2026-11-15`, `Europe/London`. */
export function endOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const wanted = Date.UTC(year, month - 1, date + 1)
  // Twice, as the clock may change between the first guess and the answer.
  const guess = wanted - offsetAt(wanted, timeZone)
  return new Date(wanted - offsetAt(guess, timeZone))
}

/** The moment at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  return endOfDay(addDays(day, -1), timeZone)
}

/** Another day of the calendar, so many days later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)
}

/** The day of the calendar that it is at a moment, in a time zone. */
export function dayAt(moment: Date, timeZone: string): string {
  return formatsOf(timeZone).day.format(moment)
}

/** The last day on which the link is open. */
export function lastDay(endsAt: Date, timeZone: string): string {
  return dayAt(new Date(endsAt.getTime() - 1), timeZone)
}

/** By how much clocks there are before UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = formatsOf(timeZone).moment.formatToParts(instant)
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

type Formats = { readonly day: Intl.DateTimeFormat; readonly moment: Intl.DateTimeFormat }

/** Making a format takes longer than using it a hundred times, and a page needs the beginning of sixty days. */
const formats = new Map<string, Formats>()

function formatsOf(timeZone: string): Formats {
  const known = formats.get(timeZone)
  if (known) return known
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  const made = {
    day: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }),
    moment: new Intl.DateTimeFormat('en-GB', { timeZone, ...date, ...time }),
  }
  formats.set(timeZone, made)
  return made
}
