import type { Database } from '../../../platform/database/database.ts'
import type { CardTesting } from './card-testing.ts'
import { readStanding, type StandingOf, type StandingRow } from './decline-store.ts'
import { attackMs, freeOf, laterOf, waitsWithAddress, waitUntil, type Level } from './limits.ts'

/** The client, as known from the request. */
export type Asker = {
  readonly address: string
  /** The attempt that a proof was brought for. */
  readonly provenFor?: number
}

export type Judgement =
  /** `onlyAs`: as this attempt and no other. */
  | { readonly kind: 'free'; readonly onlyAs: number | undefined }
  | { readonly kind: 'wait'; readonly until: Date }
  | { readonly kind: 'proof_needed' }

/** For those of whom something is known; skipped for clients with no declines. */
export async function judge(
  db: Database,
  testing: CardTesting,
  ask: StandingOf & { provenFor: number | undefined; now: Date },
): Promise<Judgement> {
  const row = await readStanding(db, ask)
  const isUnderAttack = lasts(row?.attack_until, ask.now)
  const free = freeOf(testing.limits, isUnderAttack)
  const address = row && levelOf(row.address_level, row.address_level_at)
  const isOther = row !== undefined && !waitsWithAddress(row.order_declines)
  // Challenges that are open are no declines yet: the page does not know of them, and offers no proof.
  const mayProve = isOther && waitUntil(free, ask.now, address) !== undefined
  const until =
    row &&
    laterOf(
      laterOf(waitOfCard(free, ask.now, row), waitOfOrder(free, ask.now, row)),
      mayProve ? undefined : waitOfAddress(free, ask.now, row),
    )
  if (until) return { kind: 'wait', until }
  const needsProof = isUnderAttack || mayProve
  if (needsProof && ask.provenFor === undefined) return { kind: 'proof_needed' }
  return { kind: 'free', onlyAs: needsProof ? ask.provenFor : undefined }
}

function waitOfAddress(free: number, now: Date, row: StandingRow): Date | undefined {
  const declines = levelOf(row.address_level, row.address_level_at)
  if (row.newest_open === null) return waitUntil(free, now, declines)
  return waitUntil(free, now, declines, { count: row.open, newest: new Date(row.newest_open) })
}

function waitOfCard(free: number, now: Date, row: StandingRow): Date | undefined {
  return waitUntil(free, now, levelOf(row.card_level, row.card_level_at))
}

function waitOfOrder(free: number, now: Date, row: StandingRow): Date | undefined {
  return waitUntil(free, now, levelOf(row.order_declines, row.order_declined_at))
}

export function levelOf(level: number | null, at: string | null): Level | undefined {
  return level === null || at === null ? undefined : { level, at: new Date(at) }
}

/** Whether an attack lasts. Further ahead than any can be: a clock that was wrong wrote it. */
export function lasts(until: string | null | undefined, now: Date): boolean {
  if (until === null || until === undefined) return false
  const leftMs = Date.parse(until) - now.getTime()
  return leftMs > 0 && leftMs <= attackMs + clockSlackMs
}

// Servers whose clocks differ by a few seconds are none that jumped.
const clockSlackMs = 5_000
