import { brokenRule } from '../../../platform/errors/refusals.ts'

// How long a payment can be paid. A merchant chooses it; a payment keeps what it was made with. Bounds: also a constraint
// of the table merchants. Half an hour is what a network's own page needs, and a month is as long as an invoice runs.

export const payWithinMinutes = { least: 30, most: 30 * 24 * 60, atFirst: 24 * 60 } as const

export const payWithinUnits = { minutes: 1, hours: 60, days: 24 * 60 } as const
export type PayWithinUnit = keyof typeof payWithinUnits

export type PayWithin = { readonly count: number; readonly unit: PayWithinUnit }

/** In the largest unit that says it exactly; a day is still 24 hours. */
export function payWithinOf(minutes: number): PayWithin {
  const { days, hours } = payWithinUnits
  if (minutes > days && minutes % days === 0) return { count: minutes / days, unit: 'days' }
  if (minutes % hours === 0) return { count: minutes / hours, unit: 'hours' }
  return { count: minutes, unit: 'minutes' }
}

export function formatMinutes(minutes: number): string {
  const { count, unit } = payWithinOf(minutes)
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}

/** Minutes; refuses what is no whole number of them within the bounds. */
export function readPayWithin(count: string, unit: string): number {
  const each = Object.hasOwn(payWithinUnits, unit) ? payWithinUnits[unit as PayWithinUnit] : Number.NaN
  return checkPayWithin(/^\d{1,6}$/.test(count.trim()) ? Number(count) * each : Number.NaN)
}

export function checkPayWithin(minutes: number): number {
  const { least, most } = payWithinMinutes
  if (Number.isInteger(minutes) && minutes >= least && minutes <= most) return minutes
  throw brokenRule('pay_within', `pay_within must be ${formatMinutes(least)} to ${formatMinutes(most)}`)
}
