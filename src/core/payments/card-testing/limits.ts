import type { Mode } from '../../merchants/mode.ts'

// The rules against card testing, as pure functions. decline-store.ts has the counts, judge.ts decides about a client.

export type CardTestingLimits = {
  /** Declines of one address, or of one card, at one merchant before waits begin. */
  readonly freeDeclines: number
  /** Declines of a merchant within ten minutes before it may be under attack, … */
  readonly attackDeclines: number
  /** … and what share of its attempts they must be, in per cent. */
  readonly attackPercent: number
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/**
 * Ten declines within ten minutes cost a person who tries cards by hand 80 seconds of waiting, and a program an hour
 * for six more.
 */
export const waitsMs = [5, 10, 15, 20, 30, 60, 120, 300, 600].map((seconds) => seconds * secondMs)
const longestWaitMs = Math.max(...waitsMs)
/** Where a level stops to grow, above the free declines: it has to fall again once the attack is over. */
export const levelsAbove = waitsMs.length

export const windowMs = 10 * minuteMs
export const attackMs = 10 * minuteMs
/** An attack that returns within this time is the same one: the merchant is told once. */
export const sameAttackMs = hourMs

/** So long after its last decline a hash is due to be forgotten; the job that does it runs well within the rest of a day. */
export const forgetAfterMs = 23.5 * hourMs

/**
 * One decline is forgiven in this time. In live mode a card is remembered for longer: its owner has few reasons to be declined
 * every twenty minutes. The numbers of test mode are everybody's.
 */
export function leakMs(kind: 'address' | 'card', mode: Mode): number {
  return kind === 'card' && mode === 'live' ? hourMs : 20 * minuteMs
}

/**
 * An unanswered challenge counts as a fifth of a decline: the customers of an office may all be at their banks at once.
 */
const challengeShare = 0.2

/** Under attack waits begin at half as many declines. */
export function freeOf(limits: CardTestingLimits, isUnderAttack: boolean): number {
  return isUnderAttack ? Math.max(1, Math.floor(limits.freeDeclines / 2)) : limits.freeDeclines
}

export type Level = { readonly level: number; readonly at: Date }

export type OpenChallenges = { readonly count: number; readonly newest: Date }

/** Until when attempts must wait; undefined if they needn't. */
export function waitUntil(
  free: number,
  now: Date,
  declines: Level | undefined,
  open?: OpenChallenges,
): Date | undefined {
  const ends = [declines && endOfWait(free, declines.level, declines.at)]
  if (open) {
    const level = (declines?.level ?? 0) + open.count * challengeShare
    // No test: either of two equal times will do
    const from = declines && declines.at > open.newest ? declines.at : open.newest
    ends.push(endOfWait(free, level, from))
  }
  const latest = Math.max(...ends.map((end) => end?.getTime() ?? 0))
  // Further ahead than the longest wait: a clock that was wrong wrote it.
  return latest > now.getTime() && latest <= now.getTime() + longestWaitMs + clockSlackMs
    ? new Date(latest)
    : undefined
}

// Servers whose clocks differ by a few seconds are none that jumped.
const clockSlackMs = 5_000

function endOfWait(free: number, level: number, from: Date): Date | undefined {
  const above = Math.round(level) - free
  if (above < 0) return undefined
  return new Date(from.getTime() + (waitsMs[above] ?? longestWaitMs))
}

/** So many declines of its own, and an order waits with its address. One may be a mistyped card. */
const ownDeclinesMin = 2

/**
 * Whether the declines of an address make this order wait. Any other order from there may be another customer's, in the same office
 * or mobile network: it brings a proof instead.
 */
export function waitsWithAddress(ownDeclines: number): boolean {
  return ownDeclines >= ownDeclinesMin
}

/** How many payments may have succeeded beside so many declines, for these to be an attack. */
export function successesBelow(limits: CardTestingLimits, declines: number): number {
  return Math.ceil((declines * (100 - limits.attackPercent)) / limits.attackPercent)
}

const bitsMin = 16
const bitsMax = 20

/** For an order whose address has to wait: harder with every second decline above the free ones. */
export function proofBitsOfAddress(free: number, level: number): number {
  return Math.min(bitsMax, bitsMin + Math.floor(Math.max(0, Math.round(level) - free) / 2))
}

export function laterOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (!one || !other) return one ?? other
  return one > other ? one : other // No test: either of two equal times will do
}

/** A phone needs about a second for 16 bits; each doubling of the attack doubles the work, up to 16 seconds. */
export function proofBits(limits: CardTestingLimits, declines: number): number {
  const doublings = Math.floor(Math.log2(Math.max(1, declines / limits.attackDeclines)))
  return Math.min(bitsMax, bitsMin + doublings)
}
