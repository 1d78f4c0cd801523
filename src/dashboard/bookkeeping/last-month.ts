/** The first and the last day of the month before, where the shop is. */
export function lastMonth(now: Date, timeZone: string): { readonly from: string; readonly to: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
  }).formatToParts(now)
  const [year = 0, month = 0] = ['year', 'month'].map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  )
  const dayOf = (at: number, day: number): string =>
    new Date(Date.UTC(year, at, day)).toISOString().slice(0, 10)
  return { from: dayOf(month - 2, 1), to: dayOf(month - 1, 0) }
}
