import type { DeclineReason } from '../../core/networks/connector.ts'
import { testCards } from '../../core/test-network/cards.ts'
import type { PaymentEvent } from '../../core/payments/state-machine.ts'
import { drawCustomers, type DemoCustomer } from './customers.ts'
import { declines, demoLinks, goods, priceFactors, refundReasons, type DemoLink, type Good } from './goods.ts'
import { chanceOf, weighted, type Chance } from './random.ts'

// Three months in the life of a shop, as facts without tables. The same seed and moment give the same story.

export const storyDays = 91
const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Payments on a day of the week, from Sunday. */
const perDay = [9, 7, 7, 8, 9, 11, 14]
export const payWithinMs = dayMs

export type Card = { readonly brand: string; readonly last4: string }

export type DemoAttempt = {
  readonly at: Date
  readonly endedAt: Date
  readonly key: string
  readonly reference: string
  /** Null: by bank, on the test bank's page. */
  readonly card: Card | null
  /** Undefined: it succeeded. */
  readonly declined: DeclineReason | undefined
}

export type DemoRefund = {
  readonly id: string
  readonly ref: string
  readonly reference: string
  readonly at: Date
  readonly amountMinor: bigint
  readonly reason: string | null
}

export type DemoDispute = {
  readonly id: string
  readonly openedAt: Date
  readonly dueAt: Date
  readonly reason: string
  /** Undefined: still open. */
  readonly decided: { readonly as: 'won' | 'lost'; readonly at: Date } | undefined
}

export type DemoPayment = {
  readonly number: string
  readonly txRef: string
  readonly reference: string
  readonly type: 'API' | 'Form' | 'Link'
  readonly good: Good
  readonly link: DemoLink | undefined
  readonly customer: DemoCustomer
  readonly currency: string
  readonly amountMinor: bigint
  readonly createdAt: Date
  readonly attempts: readonly DemoAttempt[]
  /** Undefined: still pending. */
  readonly end: { readonly event: PaymentEvent; readonly at: Date } | undefined
  readonly refunds: readonly DemoRefund[]
  readonly dispute: DemoDispute | undefined
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** How long ago disputed payments were made, in days, and what became of each. */
const disputes: readonly { readonly daysAgo: number; readonly end: 'won' | 'lost' | 'open' }[] = [
  { daysAgo: 78, end: 'lost' },
  { daysAgo: 61, end: 'won' },
  { daysAgo: 44, end: 'won' },
  { daysAgo: 33, end: 'lost' },
  { daysAgo: 12, end: 'open' },
]

/** In the order of their creation. */
export function tellStory(seed: number, now: Date): DemoPayment[] {
  const chance = chanceOf(seed)
  const customers = drawCustomers(chance)
  const payments = momentsOf(chance, now).map((createdAt, turn) =>
    tellPayment(chance, { turn, createdAt, now, customer: customers(createdAt) }),
  )
  return withDisputes(chance, payments, now)
}

/** More on Saturdays, more each month, nothing at night; and some in the last hours, whenever it is told. */
function momentsOf(chance: Chance, now: Date): Date[] {
  const moments: number[] = []
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  for (let ago = storyDays - 1; ago >= 0; ago -= 1) {
    const day = midnight - ago * dayMs
    const growth = 0.8 + (0.5 * (storyDays - ago)) / storyDays
    const count = Math.round((perDay[new Date(day).getUTCDay()] ?? 0) * growth * (0.6 + 0.8 * chance.next()))
    for (let one = 0; one < count; one += 1) {
      // The mean of two: most come in the afternoon.
      const hour = 7 + (chance.next() + chance.next()) * 8
      moments.push(Math.floor(day + hour * hourMs))
    }
  }
  for (const ago of [9, 34, 58, 95, 140]) moments.push(now.getTime() - ago * minuteMs)
  return moments
    .filter((moment) => moment < now.getTime() - 5 * minuteMs)
    .toSorted((one, other) => one - other)
    .map((moment) => new Date(moment))
}

type Told = {
  readonly turn: number
  readonly createdAt: Date
  readonly now: Date
  readonly customer: DemoCustomer
}

function tellPayment(chance: Chance, told: Told): DemoPayment {
  const { customer, createdAt, turn } = told
  const link = chance.percent(16) ? weighted(chance, demoLinks, linkWeight) : undefined
  const currency =
    link?.currency ?? (customer.currency === 'GBP' || chance.percent(85) ? customer.currency : 'GBP')
  const good = weighted(chance, goods, ({ weight }) => weight)
  const type = link ? 'Link' : chance.percent(9) ? 'Form' : 'API'
  const amountMinor = link ? linkAmount(chance, link) : priceOf(chance, good, currency)
  const journey = tellJourney(chance, told, currency)
  const isPaid = journey.end?.event === 'paid'
  return {
    number: chance.text('0123456789', 24),
    txRef: link ? `link_${chance.text(base62, 16)}` : `KC-${String(10_201 + turn)}`,
    reference: `FL${chance.text('23456789ABCDEFGHJKMNPQRSTVWXYZ', 12)}`,
    type,
    good,
    link,
    customer,
    currency,
    amountMinor,
    createdAt,
    ...journey,
    refunds: isPaid ? tellRefunds(chance, amountMinor, journey.end.at, told.now) : [],
    dispute: undefined,
  }
}

function linkWeight({ stock }: DemoLink): number {
  // No more of a limited one than there are.
  return stock === null ? 5 : 1
}

function linkAmount(chance: Chance, { price }: DemoLink): bigint {
  return BigInt(price ?? chance.pick([500, 1_000, 1_000, 2_000, 2_500, 5_000, 10_000]))
}

function priceOf(chance: Chance, good: Good, currency: string): bigint {
  const many = good.price < 3_000 && chance.percent(30) ? chance.between(2, 4) : 1
  const each = Math.round((good.price * (priceFactors[currency] ?? 1)) / 50) * 50
  // Some orders have postage.
  return BigInt(many * each + (chance.percent(35) ? 395 : 0))
}

type Journey = Pick<DemoPayment, 'attempts'> & { readonly end: DemoPayment['end'] }

/** What the customer did at the checkout, and how it ended. */
function tellJourney(chance: Chance, { createdAt, now }: Told, currency: string): Journey {
  const fate = chance.next() * 100
  const tries =
    fate < 80 ? 0 : fate < 87 ? chance.between(1, 2) : fate < 89 ? 10 : fate < 93 ? chance.between(1, 3) : 0
  const isPaid = fate < 87 || fate >= 99.3
  const at = new Date(createdAt.getTime() + chance.between(20, 400) * 1_000)
  const attempts = drawDeclines(chance, tries, at)
  const after = attempts.at(-1)?.endedAt ?? at
  if (isPaid) {
    const card = currency !== 'USD' && chance.percent(17) ? null : drawCard(chance)
    const paying = drawAttempt(chance, later(after, chance, 30), { declined: undefined, card })
    return until(now, [...attempts, paying], { event: 'paid', at: paying.endedAt })
  }
  if (tries === 10) return until(now, attempts, { event: 'attempts_used_up', at: after })
  if (fate >= 96)
    return until(now, attempts, { event: 'cancelled_by_customer', at: later(after, chance, 90) })
  const over = new Date(createdAt.getTime() + payWithinMs + chance.between(1, 20) * 1_000)
  return until(now, attempts, { event: 'ran_out_of_time', at: over })
}

/** What would be in the future has not happened: the payment is pending. */
function until(now: Date, attempts: readonly DemoAttempt[], end: NonNullable<DemoPayment['end']>): Journey {
  const happened = attempts.filter(({ endedAt }) => endedAt < now)
  return end.at < now ? { attempts, end } : { attempts: happened, end: undefined }
}

function drawDeclines(chance: Chance, count: number, from: Date): DemoAttempt[] {
  const attempts: DemoAttempt[] = []
  let at = from
  let card = drawCard(chance)
  for (let one = 0; one < count; one += 1) {
    const [reason] = weighted(chance, declines, ([, weight]) => weight)
    const attempt = drawAttempt(chance, at, { declined: reason, card })
    attempts.push(attempt)
    at = later(attempt.endedAt, chance, 60)
    // Most try the same one again.
    if (chance.percent(20)) card = drawCard(chance)
  }
  return attempts
}

const brands = ['Visa', 'Visa', 'Visa', 'Mastercard', 'Mastercard', 'American Express']

function drawCard(chance: Chance): Card {
  return { brand: chance.pick(brands), last4: drawLast4(chance) }
}

function drawAttempt(
  chance: Chance,
  at: Date,
  { declined, card }: Pick<DemoAttempt, 'declined' | 'card'>,
): DemoAttempt {
  const seconds = card ? 1 : chance.between(25, 90)
  return {
    at,
    endedAt: new Date(at.getTime() + seconds * 1_000 + chance.between(50, 900)),
    key: `demo_${chance.text(base62, 22)}`,
    reference: chance.text('0123456789abcdef', 24),
    card,
    declined,
  }
}

/** Not one of a test card: the test network treats refunds of some of those in its own way. */
function drawLast4(chance: Chance): string {
  const last4 = chance.text('0123456789', 4)
  return testCards.some((card) => card.last4 === last4) ? '1881' : last4
}

function tellRefunds(chance: Chance, amountMinor: bigint, paidAt: Date, now: Date): DemoRefund[] {
  if (!chance.percent(5)) return []
  const at = new Date(paidAt.getTime() + chance.between(1, 9) * dayMs + chance.between(0, 300) * minuteMs)
  if (at >= now) return []
  const isAll = chance.percent(55)
  const part = (amountMinor * BigInt(chance.between(20, 60))) / 100n
  return [
    {
      id: `rfd_${chance.text(base62, 16)}`,
      ref: `R-${chance.text('23456789ABCDEFGHJKMNPQRSTVWXYZ', 8)}`,
      reference: `tr_${chance.text('0123456789abcdef', 24)}`,
      at,
      amountMinor: isAll ? amountMinor : part,
      reason: chance.pick(refundReasons),
    },
  ]
}

function withDisputes(chance: Chance, payments: readonly DemoPayment[], now: Date): DemoPayment[] {
  const disputed = new Map<DemoPayment, DemoDispute>()
  for (const { daysAgo, end } of disputes) {
    const before = now.getTime() - daysAgo * dayMs
    const payment = payments.findLast(
      (one) => one.createdAt.getTime() < before && isDisputable(one) && !disputed.has(one),
    )
    if (payment) disputed.set(payment, tellDispute(chance, payment, end))
  }
  return payments.map((payment) => ({ ...payment, dispute: disputed.get(payment) }))
}

function isDisputable({ end, attempts, refunds }: DemoPayment): boolean {
  return end?.event === 'paid' && refunds.length === 0 && attempts.at(-1)?.card !== null
}

function tellDispute(chance: Chance, payment: DemoPayment, end: 'won' | 'lost' | 'open'): DemoDispute {
  const openedAt = new Date((payment.end?.at.getTime() ?? 0) + 9 * dayMs + chance.between(10, 400) * minuteMs)
  return {
    id: `dsp_${chance.text(base62, 24)}`,
    openedAt,
    dueAt: new Date(openedAt.getTime() + 14 * dayMs),
    reason: end === 'lost' ? 'fraudulent' : 'product_not_received',
    decided: end === 'open' ? undefined : { as: end, at: new Date(openedAt.getTime() + 17 * dayMs) },
  }
}

function later(moment: Date, chance: Chance, seconds: number): Date {
  return new Date(moment.getTime() + chance.between(5, seconds) * 1_000)
}
