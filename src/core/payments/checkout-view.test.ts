import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { byBank } from '../../../test/support/hosted-choice.ts'
import { attemptRow, insertRows } from '../../../test/support/rows.ts'
import { cornerShop } from '../../../test/support/corner-shop.ts'
import { cards, openTill, type Till } from '../../../test/support/till.ts'
import type { Merchant } from '../merchants/authenticate.ts'
import { plainBrand } from '../merchants/brand/brand.ts'
import type { CardTesting } from './card-testing/card-testing.ts'
import { makeReadCheckout, readDigits, type CheckoutView } from './checkout-view.ts'
import type { PaymentKey } from './store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const merchant = (isSuspended = false): Merchant => cornerShop({ id: till.merchantId, isSuspended })

const digitsOf = ({ merchantId, number }: PaymentKey): string => `${merchantId}${number}`

const view = async (key: PaymentKey): Promise<CheckoutView | undefined> =>
  makeReadCheckout(till.db, async () => merchant())(digitsOf(key))

test('exactly 32 digits identify a merchant and a payment', () => {
  const number = '0123456789'.repeat(3).slice(0, 24)
  assert.deepEqual(readDigits(`12345678${number}`), { merchantId: 12_345_678, number })
  for (const odd of [
    '',
    number,
    `02345678${number}`,
    `12345678${number}9`,
    `1234567${number}`,
    `1234567x${number}`,
  ])
    assert.equal(readDigits(odd), undefined, odd)
})

test('a page shows a payment and its shop, and nothing if either is missing', async () => {
  const key = await till.newPayment()
  const { payment, ...beside } = (await view(key)) ?? {}
  assert.equal(payment?.number, key.number)
  const plain = { merchantName: 'Corner shop', brand: plainBrand, isSuspended: false }
  assert.deepEqual(beside, { ...plain, lastAttempt: undefined, attemptsLeft: 10 })
  const suspended = makeReadCheckout(till.db, async () => merchant(true))
  assert.equal((await suspended(digitsOf(key)))?.isSuspended, true)
  const nobody = makeReadCheckout(till.db, async () => undefined)
  assert.equal(await nobody(digitsOf(key)), undefined)
  assert.equal(await view({ ...key, number: '0'.repeat(24) }), undefined)
  assert.equal(await nobody('1'), undefined)
})

test('the last attempt is shown with its card, or the page it is on', async () => {
  const byCard = await till.newPayment()
  await till.payer.pay(byCard, cards.declined)
  const [declined] = await till.attempts(byCard)
  assert.deepEqual((await view(byCard))?.lastAttempt, {
    attempt: 1,
    state: 'declined',
    declineReason: 'declined',
    cardBrand: 'Visa',
    cardLast4: '0002',
    startedAt: declined?.started_at,
    hosted: undefined,
  })
  const onPage = await till.newPayment()
  await till.payer.choose(onPage, byBank, 'en')
  const [attempt] = await till.attempts(onPage)
  assert.ok(attempt?.page_url)
  assert.deepEqual((await view(onPage))?.lastAttempt, {
    attempt: 1,
    state: 'action_required',
    declineReason: undefined,
    cardBrand: undefined,
    cardLast4: undefined,
    startedAt: attempt.started_at,
    hosted: { ...byBank, connector: till.bank.name, pageUrl: attempt.page_url },
  })
})

test('a page knows that the money of an earlier attempt goes back', async () => {
  const { merchantId: merchant_id, number } = await till.newPayment()
  const states = ['surplus', 'abandoned']
  const rows = states.map((state, place) => attemptRow({ merchant_id, number, attempt: place + 1, state }))
  await insertRows(till.db, 'attempts', rows)
  const seen = await view({ merchantId: merchant_id, number })
  assert.deepEqual([seen?.lastAttempt?.state, seen?.isSentBack], ['abandoned', true])
})

test('ten cards may be declined, and the number left is never negative', async () => {
  const key = await till.newPayment()
  for (const [attempt, left] of [
    [1, 9],
    [10, 0],
    [11, 0],
  ] as const) {
    const known = (await till.attempts(key)).length
    const rows = Array.from({ length: attempt - known }, (_, place) =>
      attemptRow({
        merchant_id: key.merchantId,
        number: key.number,
        attempt: known + place + 1,
        state: 'declined',
      }),
    )
    await insertRows(till.db, 'attempts', rows)
    assert.equal((await view(key))?.attemptsLeft, left, `${attempt} declined`)
  }
})

test('the page says when to wait, and asks for a proof under attack; without a guard it does neither', async () => {
  const key = await till.newPayment()
  const now = till.paying.now()
  const { merchantId: merchant_id } = key
  const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
  const cardTesting = {
    limits: { freeDeclines: 4, attackDeclines: 30, attackPercent: 70 },
    marks: { address: async (merchantId: number, address: string) => `${merchantId} ${address}` },
  } as CardTesting
  const read = makeReadCheckout(till.db, async () => merchant(), { cardTesting, now: () => now })
  const heldAgainst = async (address?: string): Promise<unknown> => {
    const { waitUntil, proofBits } = (await read(digitsOf(key), address)) ?? {}
    return { waitUntil, proofBits }
  }
  const of = { merchant_id, mode: 'test' }
  await insertRows(till.db, 'decline_levels', [
    { ...of, kind: 'address', name: `${merchant_id} declined`, level: 5, level_at: now },
  ])
  const free = { waitUntil: undefined, proofBits: undefined }
  assert.deepEqual(await heldAgainst('declined'), { ...free, proofBits: 16 }, 'another customer there')
  const attempts = [1, 2].map((attempt) =>
    attemptRow({ merchant_id, number: key.number, attempt, state: 'declined', started_at: inSeconds(-60) }),
  )
  await insertRows(till.db, 'attempts', attempts)
  assert.deepEqual(await heldAgainst('declined'), { ...free, waitUntil: inSeconds(10) })
  assert.deepEqual([await heldAgainst('another'), await heldAgainst()], [free, free])
  await insertRows(till.db, 'card_attacks', [
    { ...of, declines: 60, counted_from: now, since: now, until: inSeconds(60) },
  ])
  assert.deepEqual(await heldAgainst('another'), { ...free, proofBits: 17 })
  assert.deepEqual(await heldAgainst('declined'), { waitUntil: inSeconds(20), proofBits: 17 })
  const { waitUntil, proofBits } = (await view(key)) ?? {}
  assert.deepEqual({ waitUntil, proofBits }, free)
})

test('a page the database refuses fails alone, even in a batch', async () => {
  const limits = { freeDeclines: 5, attackDeclines: 20, attackPercent: 80 }
  const marks = { address: async (_: number, address: string) => address }
  const cardTesting = { limits, marks } as unknown as CardTesting
  const read = makeReadCheckout(till.db, async () => merchant(), { cardTesting, now: till.paying.now })
  const digits = digitsOf(await till.newPayment())
  const pages = await Promise.allSettled(['one', 'no\0ne', 'two'].map(async (name) => read(digits, name)))
  assert.deepEqual(
    pages.map((page) => (page.status === 'fulfilled' ? digitsOf(keyOf(page.value)) : 'refused')),
    [digits, 'refused', digits],
  )
})

function keyOf(shown: CheckoutView | undefined): PaymentKey {
  return { merchantId: shown?.payment.merchant_id ?? 0, number: shown?.payment.number ?? '' }
}
