import { brokenRule } from '../../../platform/errors/refusals.ts'

// How long dashboard sessions of a merchant's team last without use. Also a constraint of the table merchants. PCI DSS 8.2.8 asks
// for 15 minutes where it applies; 12 hours are a working day.

export const idleChoices: readonly number[] = [15, 30, 60, 240, 720]
export const longestIdleMinutes = 720

export function checkIdle(minutes: number): number {
  if (idleChoices.includes(minutes)) return minutes
  throw brokenRule('idle', 'Choose one of the times')
}

/** For a person with several merchants: the shortest holds. */
export function shortestIdle(merchants: readonly { readonly idleMinutes: number }[]): number {
  return Math.min(longestIdleMinutes, ...merchants.map(({ idleMinutes }) => idleMinutes))
}
