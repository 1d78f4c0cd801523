import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { askAbout } from '../../src/core/payments/attempts/hosted/ask-about.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import type { Paying } from '../../src/core/payments/attempts/paying.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { insertPayments } from '../../src/core/payments/create-store.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { chargeMethod } from '../../src/modules/saved-methods/charge-method.ts'
import { recordConsent } from '../../src/modules/saved-methods/consents.ts'
import { endMethod } from '../../src/modules/saved-methods/end-method.ts'
import { forgetMethods } from '../../src/modules/saved-methods/forget/forget-methods.ts'
import type { MethodKeeping } from '../../src/modules/saved-methods/keeping.ts'
import type { Networks } from '../../test/support/networks/start-networks.ts'
import { testSecrets } from '../../test/support/secrets.ts'
import type { Till } from '../../test/support/till.ts'
import { newPayment } from '../../test/support/twins.ts'
import { makeRandom, type Random } from '../random.ts'
import { isGone, openLiveTill, type LiveTill } from './live-till.ts'
import { moods } from './strike-moods.ts'
import { chargesOf } from './world.ts'

// Servers that are gone at a chosen point of a charge without the customer, and answers that are lost there, without
// processes. Each strike ends in a payment that is right: charged once by the network's own books, or failed and not charged.

const seed = Number(process.env['LIVE_SEED'] ?? 20261118)
const names = ['stripe', 'gocardless', 'paystack'] as const
type Name = (typeof names)[number]

const ways = {
  stripe: { method: 'card', currency: 'GBP' },
  gocardless: { method: 'bank', currency: 'GBP' },
  paystack: { method: 'card', currency: 'USD' },
} as const

let live: LiveTill
let till: Till
let networks: Networks
let healthy: Paying

/** `struck`: the moods to strike with, by name. */
export function strikeSavedCharges(strikes: number, struck: readonly string[] = Object.keys(moods)): void {
  before(async () => {
    live = await openLiveTill()
    ;({ till, networks, healthy } = live)
  })
  after(() => live.close())
  for (const name of names) {
    for (const [point, strike] of Object.entries(points))
      repeat(`${name}: no charge is lost or doubled when ${point}`, strikes, async (random) =>
        strike(name, random),
      )
    for (const [how, mood] of Object.entries(moods).filter(([each]) => struck.includes(each)))
      repeat(`${name}: no charge is lost or doubled when it ${how}`, strikes, async (random) => {
        const id = await saved(name)
        const turn = (): void => {
          for (let times = random.whole(1, 3); times > 0; times -= 1)
            void networks[name].turn(mood).then(() => mood.kind === 'hangs' && live.timeOut())
        }
        turn()
        const txRef = await charge(healthy, name, id)
        if (random.chance(0.5)) await reconcile(healthy)
        networks[name].calm()
        await settle()
        await isRight(txRef)
      })
  }
}

function repeat(name: string, strikes: number, strike: (random: Random) => Promise<void>): void {
  test(name, { timeout: 1_200_000 }, async () => {
    const random = makeRandom(seed).fork(name)
    for (let count = 0; count < strikes; count += 1) {
      till.rewind()
      await strike(random)
    }
  })
}

const gone = (error: Error): void => assert.equal(error.message, isGone)
const keepingOf = (paying: Paying): MethodKeeping => ({ ...till.core, secrets: testSecrets, paying })

/** The customer agreed and paid on the network's page; nobody has heard of it yet. */
async function agreed(name: Name): Promise<PaymentKey> {
  const number = Array.from({ length: 24 }, () => randomInt(10)).join('')
  const { merchantId } = till
  const { currency, method } = ways[name]
  const asked = { agreement: 'recurring', customerRef: 'ada' } as const
  const saving = JSON.stringify({ asked })
  const payment = newPayment({ merchant_id: merchantId, number, mode: 'live', currency, saving })
  await insertPayments(till.db, merchantId, [payment])
  const words = { language: 'en', words: 'By paying, you agree.', address: '127.0.0.1' }
  await recordConsent(till.db, { merchantId, number, currency, asked, ...words })
  await makePayer(healthy).choose({ merchantId, number }, { accountId: `acc_${name}`, method }, 'en')
  const [attempt] = await till.attempts({ merchantId, number })
  const { connector_reference: reference, page_url: page } = attempt ?? assert.fail('no page was opened')
  // GoCardless' pages have names of their own.
  const acted = name === 'gocardless' ? page?.slice(page.lastIndexOf('/') + 1) : reference
  networks[name].act(acted ?? '', 'pay')
  return { merchantId, number }
}

async function comeBack(paying: Paying, key: PaymentKey): Promise<void> {
  till.forward(4_000)
  await makePayer(paying).lookAgain(key, 'from_the_page')
}

async function methodsOf({ number }: PaymentKey): Promise<{ id: string; forgotten: boolean }[]> {
  return till.db.query(sql`
    select id, forgotten_at is not null as forgotten from saved_methods
    where merchant_id = ${till.merchantId} and number = ${number}`)
}

async function saved(name: Name): Promise<string> {
  const key = await agreed(name)
  await comeBack(healthy, key)
  const [method] = await methodsOf(key)
  return method?.id ?? assert.fail('nothing was saved')
}

/** Returns its tx_ref; a server that is gone answers nobody. */
async function charge(paying: Paying, name: Name, id: string, txRef = `charge-${randomInt(1e9)}`) {
  const merchant = (await readMerchant(till.db, till.merchantId)) ?? assert.fail()
  const request = {
    txRef,
    amountMinor: 990n,
    currency: ways[name].currency,
    description: null,
    callbackUrl: null,
    metaText: null,
    mailsCustomer: false,
  }
  const sent = chargeMethod(keepingOf(paying), { merchant, mode: 'live' }, id, request, bySystem)
  await sent.catch(gone)
  return txRef
}

/** Days go by at banks. */
function decideDebits(): void {
  for (const { id, status } of networks.gocardless.books.payments.values())
    if (status === 'pending_submission') networks.gocardless.movePayment(id, 'confirmed')
}

/** Workers of servers that live, until a network's keys have come to rest. */
async function settle(): Promise<void> {
  for (const ms of [61_000, 61_000, 11 * 60_000]) {
    till.forward(ms)
    decideDebits()
    while ((await reconcile(healthy)) > 0);
  }
}

/** I3 and I11, by the networks' own books. */
async function isRight(txRef: string, expected?: 'success' | 'failed'): Promise<void> {
  const [payment] = await till.db.query<{ number: string; state: string; saving: string }>(sql`
    select number, state, saving::text as saving from payments where merchant_id = ${till.merchantId} and tx_ref = ${txRef}`)
  if (!payment) throw new Error('the charge was never begun')
  const { number, state, saving } = payment
  assert.match(state, expected === undefined ? /^(success|failed)$/ : new RegExp(`^${expected}$`), saving)
  if (state === 'failed') assert.match(saving, /"code": ?"network_silent"/)
  const charges = chargesOf(networks).filter((each) => each.number === number)
  assert.equal(charges.length, state === 'success' ? 1 : 0, `${number} is ${state}`)
}

type Strike = (name: Name, random: Random) => Promise<void>

const points: Readonly<Record<string, Strike>> = {
  'it is about to be asked': async (name) => {
    const txRef = await charge(live.goneAround('chargeSaved', 'before'), name, await saved(name))
    await settle()
    await isRight(txRef, 'failed')
  },
  'it has charged': async (name) => {
    const txRef = await charge(live.goneAround('chargeSaved', 'after'), name, await saved(name))
    await settle()
    await isRight(txRef, 'success')
  },
  'a result is about to be committed': async (name, random) => {
    const id = await saved(name)
    const txRef = await charge(live.goneInCommit(), name, id)
    // The shop tries again meanwhile, with the same key.
    if (random.chance(0.5)) await charge(healthy, name, id, txRef)
    await settle()
    await isRight(txRef, 'success')
  },
  'a lost charge is shut out': async (name, random) => {
    const txRef = await charge(live.goneAround('chargeSaved', 'before'), name, await saved(name))
    till.forward(61_000)
    await reconcile(live.goneAround('withdraw', random.pick(['before', 'after']))).catch(gone)
    await settle()
    await isRight(txRef, 'failed')
  },
  'it calls back twice while its answer is lost': async (name) => {
    const txRef = await charge(live.goneAround('chargeSaved', 'after'), name, await saved(name))
    const [row] = await till.db.query<{ idempotency_key: string }>(sql`
      select attempts.idempotency_key from attempts join payments using (merchant_id, number) where tx_ref = ${txRef}`)
    const about = { merchantId: till.merchantId, idempotencyKey: row?.idempotency_key ?? assert.fail() }
    decideDebits()
    await Promise.all([askAbout(healthy, about), askAbout(healthy, about), reconcile(healthy)])
    await isRight(txRef, 'success')
    const told = await till.db.query(sql`
      select from payment_history join payments using (merchant_id, number)
      where tx_ref = ${txRef} and to_state = 'success'`)
    assert.equal(told.length, 1)
  },
  'a method is saved': async (name) => {
    const key = await agreed(name)
    await comeBack(live.goneInCommit(), key).catch(gone)
    await settle()
    assert.equal((await methodsOf(key)).length, 1)
    assert.equal((await till.read(key)).state, 'success')
  },
  'a method is ended': async (name, random) => {
    const key = await agreed(name)
    await comeBack(healthy, key)
    const [method] = await methodsOf(key)
    const scope = { merchantId: till.merchantId, mode: 'live' } as const
    await endMethod(keepingOf(healthy), scope, method?.id ?? '', bySystem)
    await forgetMethods(keepingOf(live.goneAround('forget', random.pick(['before', 'after'])))).catch(gone)
    till.forward(61_000)
    await forgetMethods(keepingOf(healthy))
    assert.deepEqual(await methodsOf(key), [{ id: method?.id, forgotten: true }])
  },
}
