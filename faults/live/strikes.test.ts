import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import type { Paying } from '../../src/core/payments/attempts/paying.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { insertPayments } from '../../src/core/payments/create-store.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { reconcileRefunds } from '../../src/modules/refunds/reconcile-refunds.ts'
import { requestRefund } from '../../src/modules/refunds/request-refund.ts'
import { listOfPayments } from '../../src/modules/refunds/store.ts'
import type { Mood } from '../../test/support/networks/stand-in.ts'
import type { Networks } from '../../test/support/networks/start-networks.ts'
import type { Till } from '../../test/support/till.ts'
import { newPayment } from '../../test/support/twins.ts'
import { makeRandom, type Random } from '../random.ts'
import { isGone, openLiveTill, type LiveTill, type Verb } from './live-till.ts'
import { moods } from './strike-moods.ts'
import { chargesOf, refundsOf } from './world.ts'

// Servers that are gone at a chosen point of a payment at PayPal or Paystack, and answers that are lost there, without
// processes: `LIVE_STRIKES=100 npm test -- faults/live/strikes.test.ts` strikes each point and each mood a hundred
// times at each network. Processes that are really killed are in points.long.test.ts.

const strikes = Number(process.env['LIVE_STRIKES'] ?? 1)
const seed = Number(process.env['LIVE_SEED'] ?? 20261118)
const names = ['paypal', 'paystack'] as const
type Name = (typeof names)[number]

let live: LiveTill
let till: Till
let networks: Networks
let healthy: Paying
before(async () => {
  live = await openLiveTill()
  ;({ till, networks, healthy } = live)
})
after(() => live.close())

async function newDollars(): Promise<PaymentKey> {
  const number = Array.from({ length: 24 }, () => randomInt(10)).join('')
  const { merchantId } = till
  const request = newPayment({ merchant_id: merchantId, number, mode: 'live', currency: 'USD' })
  await insertPayments(till.db, merchantId, [request])
  return { merchantId, number }
}

async function choose(paying: Paying, key: PaymentKey, name: Name): Promise<void> {
  const choice = { accountId: `acc_${name}`, method: name === 'paypal' ? 'wallet' : 'card' } as const
  await makePayer(paying).choose(key, choice, 'en')
}

async function comeBack(paying: Paying, key: PaymentKey): Promise<void> {
  till.forward(4_000)
  await makePayer(paying).lookAgain(key, 'from_the_page')
}

/** On every page whose address was ever told: one that was lost with its server can't be paid on. */
async function pay(key: PaymentKey, how: 'pay' | 'pending' = 'pay'): Promise<void> {
  const { paypal, paystack } = networks
  for (const { connector, connector_reference: reference } of await till.attempts(key)) {
    if (reference === null) continue
    if (connector === 'paypal') paypal.act(reference, how)
    else paystack.act(reference, 'pay')
  }
}

function decideReviews(): void {
  for (const { id, status } of networks.paypal.books.captures.values())
    if (status === 'PENDING') networks.paypal.moveCapture(id, 'COMPLETED')
}

/** Workers of servers that live. */
async function settle(rounds = 2): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    till.forward(61_000)
    decideReviews()
    while ((await reconcile(healthy)) + (await reconcileRefunds(live.refundingOf(healthy))) > 0);
  }
}

/** I3, I4 and I11, by the books of both networks. */
async function isRight(key: PaymentKey, expected: 'success' | 'cancelled' | 'pending'): Promise<void> {
  const { state } = await till.read(key)
  assert.equal(state, expected)
  const charges = chargesOf(networks).filter(({ number }) => number === key.number)
  assert.equal(charges.length, state === 'success' ? 1 : 0, `${key.number} is ${state}`)
  for (const { custom_id, captureKeys } of networks.paypal.books.orders.values())
    if (custom_id.includes(key.number)) assert.ok(captureKeys.size <= 1, 'captured with two keys')
  const sent = refundsOf(networks).map((one) => one.key)
  assert.equal(new Set(sent).size, sent.length, 'sent back twice')
  const refunds = await listOfPayments(till.db, key.merchantId, [key.number])
  for (const refund of refunds) assert.equal(refund.state, 'succeeded')
}

const gone = (error: Error): void => assert.equal(error.message, isGone)

async function paid(name: Name, how: 'pay' | 'pending' = 'pay'): Promise<PaymentKey> {
  const key = await newDollars()
  await choose(healthy, key, name)
  await pay(key, how)
  return key
}

/** Each ends in a payment that is right; `random` decides what else happens. */
const points: Readonly<
  Record<string, { at: readonly Name[]; strike: (name: Name, random: Random) => Promise<void> }>
> = {
  'a page is open': {
    at: names,
    async strike(name, random) {
      const key = await newDollars()
      await choose(live.goneAround('open', random.pick(['before', 'after'])), key, name).catch(gone)
      await settle(1)
      await choose(healthy, key, name)
      await pay(key)
      await settle()
      await isRight(key, 'success')
    },
  },
  'it is about to be told to capture': {
    at: ['paypal'],
    strike: async (name) => dieAt(name, 'capture', 'before'),
  },
  'it has captured': { at: ['paypal'], strike: async (name) => dieAt(name, 'capture', 'after') },
  'it says that it charged': {
    at: names,
    async strike(name) {
      const key = await paid(name, 'pending')
      if (name === 'paypal') await comeBack(healthy, key)
      decideReviews()
      await comeBack(live.goneAround('fetch', 'after'), key).catch(gone)
      await settle()
      await isRight(key, 'success')
    },
  },
  'a result is about to be committed': {
    at: names,
    async strike(name) {
      const key = await paid(name)
      await comeBack(live.goneInCommit(), key).catch(gone)
      await settle()
      await isRight(key, 'success')
    },
  },
  'it sent money back': {
    at: names,
    async strike(name, random) {
      const key = await paid(name)
      await settle(1)
      for (const part of ['1', '2']) {
        const dying = live.refundingOf(live.goneAround('refund', random.pick(['before', 'after'])))
        const request = { refundRef: `${key.number}-${part}`, amountMinor: 100n, reason: undefined }
        await requestRefund(dying, await till.read(key), request, bySystem).catch(gone)
        if (random.chance(0.5))
          await requestRefund(live.refundingOf(healthy), await till.read(key), request, bySystem)
        till.forward(random.pick([1_000, 6_000, 31_000]))
        if (random.chance(0.5)) await reconcileRefunds(live.refundingOf(healthy))
      }
      await settle()
      await isRight(key, 'success')
      assert.equal((await till.read(key)).refunded_minor, 200n)
    },
  },
  'a page is paid after we gave up': {
    at: names,
    async strike(name, random) {
      const key = await newDollars()
      await choose(healthy, key, name)
      await makePayer(healthy).cancel(key, bySystem)
      await pay(key)
      // Paystack's money has to go back; PayPal was never told to take it.
      till.forward(61_000)
      await reconcile(live.goneAround('refund', random.pick(['before', 'after'])))
      await settle()
      await isRight(key, 'cancelled')
    },
  },
  'an approval lapses': {
    at: ['paypal'],
    async strike(name, random) {
      const key = await paid(name)
      if (random.chance(0.5)) await comeBack(live.goneAround('capture', 'before'), key).catch(gone)
      for (const { id, custom_id } of networks.paypal.books.orders.values())
        if (custom_id.includes(key.number)) networks.paypal.lapse(id)
      await settle()
      await isRight(key, 'pending')
      await choose(healthy, key, 'paystack')
      await pay(key)
      await settle()
      await isRight(key, 'success')
    },
  },
  'it is paid in two tabs, at both networks': {
    at: names,
    async strike(name, random) {
      const key = await newDollars()
      await choose(healthy, key, name)
      if (random.chance(0.3)) await pay(key)
      await choose(healthy, key, name === 'paypal' ? 'paystack' : 'paypal')
      await pay(key)
      const verbs = ['fetch', 'capture', 'refund'] as const
      await comeBack(live.goneAround(random.pick(verbs), random.pick(['before', 'after'])), key).catch(gone)
      await settle()
      await pay(key)
      await settle()
      await isRight(key, 'success')
    },
  },
}

async function dieAt(name: Name, verb: Verb, moment: 'before' | 'after'): Promise<void> {
  const key = await paid(name)
  await comeBack(live.goneAround(verb, moment), key).catch(gone)
  await settle()
  await isRight(key, 'success')
}

/** From the page to a refund, with every call or only some of them in that mood. */
async function strikeWith(name: Name, mood: Mood, random: Random): Promise<void> {
  const turn = (): void => {
    for (let times = random.whole(1, 3); times > 0; times -= 1)
      void networks[name].turn(mood).then(() => mood.kind === 'hangs' && live.timeOut())
  }
  const key = await newDollars()
  if (random.chance(0.4)) turn()
  await choose(healthy, key, name)
  networks[name].calm()
  await settle(1)
  await choose(healthy, key, name)
  await pay(key, random.pick(['pay', 'pay', 'pending']))
  turn()
  await comeBack(healthy, key)
  networks[name].calm()
  decideReviews()
  await settle()
  await isRight(key, 'success')
  turn()
  const request = { refundRef: key.number, amountMinor: 100n, reason: undefined }
  await requestRefund(live.refundingOf(healthy), await till.read(key), request, bySystem)
  networks[name].calm()
  await settle()
  await isRight(key, 'success')
  assert.equal((await till.read(key)).refunded_minor, 100n)
}

const timeout = 1_200_000

for (const [point, { at, strike }] of Object.entries(points))
  for (const name of at)
    test(`${name}: nothing is lost or doubled when ${point}`, { timeout }, async () => {
      const random = makeRandom(seed).fork(`${name} ${point}`)
      for (let count = 0; count < strikes; count += 1) {
        // Payments expire by the clock of the database, which the till's must not outrun.
        till.rewind()
        await strike(name, random)
      }
    })

for (const [how, mood] of Object.entries(moods))
  for (const name of names)
    test(`${name}: nothing is lost or doubled when it ${how}`, { timeout }, async () => {
      const random = makeRandom(seed).fork(`${name} ${how}`)
      for (let count = 0; count < strikes; count += 1) {
        till.rewind()
        await strikeWith(name, mood, random)
      }
    })
