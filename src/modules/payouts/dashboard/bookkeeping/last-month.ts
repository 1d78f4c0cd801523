type Month = { readonly from: string; readonly to: string }

/** The first and the last day of the month before, where the shop is. */
export function lastMonth(now: Date, timeZone: string): Month {
  return monthOf(now, timeZone, -1)
}

export function thisMonth(now: Date, timeZone: string): Month {
  return monthOf(now, timeZone, 0)
}

function monthOf(now: Date, timeZone: string, later: number): Month {
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
  return { from: dayOf(month - 1 + later, 1), to: dayOf(month + later, 0) }
}
