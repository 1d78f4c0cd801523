import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { HostedConnector, RefundStatus } from '../../src/core/networks/hosted.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { composeMail, type MailFacts } from '../../src/core/notifications/mail/compose-mail.ts'
import { askAbout } from '../../src/core/payments/attempts/hosted/ask-about.ts'
import { listHeld, sendBackHeld } from '../../src/core/payments/attempts/hosted/held.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { listHistory } from '../../src/core/payments/history-store.ts'
import type { Payable } from '../../src/core/payments/attempts/pay.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { byBank } from '../support/hosted-choice.ts'
import { cards, dayMs, hourMs, minuteMs, openTill, secondMs, type Till } from '../support/till.ts'

// A network took money otherwise than it was asked to: another amount, after we gave up, or twice.

let till: Till
before(async () => {
  till = await openTill()
})
afterEach(() => till.rewind())
after(() => till.close())

async function states(key: PaymentKey): Promise<string[]> {
  return (await till.attempts(key)).map(({ state }) => state)
}

async function mailsTo(key: PaymentKey): Promise<{ event: string; text: string }[]> {
  const { tx_ref: txRef } = await till.read(key)
  const rows = await till.db.query<{ event: string; body: string; created_at: string }>(sql`
    select event, body, created_at from deliveries
    where merchant_id = ${key.merchantId} and event like 'charge.%' and body like ${`%"${txRef}"%`}
    order by created_at`)
  return rows.map(({ event, body, created_at: at }) => {
    const facts = JSON.parse(body) as MailFacts
    return { event, text: composeMail(facts, { merchantName: 'Corner shop', isTest: true, at }).text }
  })
}

/** The network's word about what it took is another one. */
function saying(money: { amountMinor: bigint; currency: string }): Partial<HostedConnector> {
  return {
    async fetch(...asked) {
      const status = await till.bank.fetch(...asked)
      return status.kind === 'charged' ? { ...status, money } : status
    },
  }
}

/** A page that we believe closed, and that can be paid on all the same. */
const leaky: Partial<HostedConnector> = {
  withdraw: async () => ({ kind: 'declined', reason: 'challenge_abandoned' }),
}

/** An attempt that was given up while its page can still be paid on. */
async function givenUp(): Promise<Payable> {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  till.forward(hourMs)
  await reconcile(till.withBank({ ...leaky, fetch: async () => ({ kind: 'not_found' }) }))
  till.rewind()
  assert.deepEqual(await states(key), ['abandoned'])
  return key
}

async function hint(key: PaymentKey): Promise<void> {
  const [attempt] = await till.attempts(key)
  assert.equal(await askAbout(till.paying, { ...key, idempotencyKey: attempt?.idempotency_key }), 'asked')
}

test('a different amount or currency is never success: it is held and reported', async () => {
  for (const change of ['amount', 'currency'] as const) {
    const key = await till.newPayment()
    const { amount_minor: amountMinor, currency } = await till.read(key)
    const money =
      change === 'amount' ? { amountMinor: amountMinor - 1n, currency } : { amountMinor, currency: 'XAF' }
    await till.payer.choose(key, byBank, 'en')
    await till.onPage(key, 'pay')
    till.forward(31 * secondMs)
    await reconcile(till.withBank(saying(money)))

    assert.equal((await till.read(key)).state, 'pending')
    assert.deepEqual(await states(key), ['held'])
    const [attempt] = await till.attempts(key)
    assert.deepEqual([attempt?.charged_minor, attempt?.charged_currency], [money.amountMinor, money.currency])
    assert.match(till.log(), new RegExp(`"number":"${key.number}".*"trouble":"held".*check it by hand`))
    const [mail] = await mailsTo(key)
    assert.equal(mail?.event, 'charge.held')
    assert.match(mail?.text ?? '', /not marked as paid/)
    till.rewind()
  }
})

test('while money is held nothing else is started, cancelled or expired, and checking again changes nothing', async () => {
  const key = await till.newPayment()
  const { currency } = await till.read(key)
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  till.forward(31 * secondMs)
  await reconcile(till.withBank(saying({ amountMinor: 1n, currency })))
  const history = await listHistory(till.db, key)

  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'in_flight' })
  assert.deepEqual(await till.payer.choose(key, byBank, 'en'), { kind: 'in_flight' })
  await assert.rejects(till.payer.cancel(key, bySystem), { code: 'not_cancellable' })
  await hint(key)
  till.forward(20 * hourMs)
  await reconcile(till.paying)
  assert.deepEqual(await listHistory(till.db, key), history)
  assert.equal((await mailsTo(key)).length, 1)
})

test('held money can be returned by a person, and then the payment can be paid', async () => {
  const key = await till.newPayment()
  const { amount_minor: amountMinor } = await till.read(key)
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  till.forward(31 * secondMs)
  // What the bank's books say can be sent back; what it said to us was wrong in the currency.
  await reconcile(till.withBank(saying({ amountMinor, currency: 'XAF' })))
  const listed = async () =>
    (await listHeld(till.db, { ...key, mode: 'test' })).filter(({ number }) => number === key.number)
  assert.deepEqual(
    (await listed()).map(({ charged_minor, charged_currency }) => [charged_minor, charged_currency]),
    [[amountMinor, 'XAF']],
  )
  assert.deepEqual(await listHeld(till.db, { ...key, mode: 'live' }), [])
  assert.equal(
    await sendBackHeld(till.paying, { key: { ...key, attempt: 1 }, by: bySystem, at: till.paying.now() }),
    true,
  )
  assert.equal(
    await sendBackHeld(till.paying, { key: { ...key, attempt: 1 }, by: bySystem, at: till.paying.now() }),
    false,
  )
  assert.deepEqual(await listed(), [])
  assert.deepEqual(await states(key), ['surplus'])
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
})

test('money that arrives after we gave up makes the payment paid, and late if it had ended', async () => {
  const open = await givenUp()
  await till.onPage(open, 'pay')
  await hint(open)
  assert.deepEqual(await states(open), ['succeeded'])
  assert.deepEqual([(await till.read(open)).state, (await till.read(open)).late], ['success', false])

  const cancelled = await givenUp()
  await till.payer.cancel(cancelled, 'customer')
  await till.onPage(cancelled, 'pay')
  await hint(cancelled)
  assert.deepEqual([(await till.read(cancelled)).state, (await till.read(cancelled)).late], ['success', true])

  const failed = await givenUp()
  for (let tries = 0; tries < 10; tries += 1) await till.payer.pay(failed, cards.declined)
  assert.equal((await till.read(failed)).state, 'failed')
  await till.onPage(failed, 'pay')
  await hint(failed)
  assert.deepEqual([(await till.read(failed)).state, (await till.read(failed)).late], ['success', true])
  assert.match(till.log(), /"trouble":"late"/)
})

test('a second charge is returned automatically, and the merchant is told', async () => {
  const key = await givenUp()
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  const paid = await till.read(key)
  await till.onPage(key, 'pay')
  await hint(key)
  assert.deepEqual(await states(key), ['surplus', 'succeeded'])
  assert.equal(await till.bankKeeps(key), paid.amount_minor)

  await reconcile(till.paying)
  assert.deepEqual(await states(key), ['returned', 'succeeded'])
  assert.equal(await till.bankKeeps(key), 0n)
  assert.deepEqual(await till.read(key), paid, 'the payment itself stays as it was')
  const [mail] = await mailsTo(key)
  assert.equal(mail?.event, 'charge.surplus')
  assert.match(till.log(), /"trouble":"surplus"/)
  await hint(key)
  assert.deepEqual(await states(key), ['returned', 'succeeded'])
})

test('a second charge’s return is requested with one key until the network confirms it', async () => {
  const key = await givenUp()
  await till.payer.pay(key, cards.good)
  await till.onPage(key, 'pay')
  await hint(key)
  const keys = new Set<string>()
  const answers: (RefundStatus | 'lost')[] = ['lost', { kind: 'submitted', refundReference: 'r' }]
  const bank = till.withBank({
    async refund(account, refund, signal) {
      keys.add(refund.idempotencyKey)
      const answer = answers.shift() ?? 'lost'
      if (answer !== 'lost') return answer
      await till.bank.refund(account, refund, signal)
      throw new Error('connection reset')
    },
    async fetchRefund(_account, { refundReference }) {
      assert.equal(refundReference, 'r')
      return { kind: 'succeeded', refundReference: 'r' }
    },
  })
  for (let round = 0; round < 4; round += 1) {
    await reconcile(bank)
    till.forward(31 * secondMs)
  }
  assert.deepEqual(await states(key), ['returned', 'succeeded'])
  assert.equal(keys.size, 1)
  assert.equal(await till.bankKeeps(key), 0n)
})

test('a network that refuses to return a second charge is reported once, and not asked for ever', async () => {
  const key = await givenUp()
  await till.payer.pay(key, cards.good)
  await till.onPage(key, 'pay')
  await hint(key)
  let asked = 0
  const bank = till.withBank({
    refund: async () => {
      asked += 1
      return { kind: 'failed', reason: 'account_closed' }
    },
  })
  for (let round = 0; round < 5; round += 1) {
    await reconcile(bank)
    till.forward(minuteMs)
  }
  assert.equal(asked, 1)
  assert.deepEqual(await states(key), ['surplus', 'succeeded'])
  assert.deepEqual(
    (await mailsTo(key)).map(({ event }) => event),
    ['charge.surplus', 'charge.stuck'],
  )
})

test('when late money pays the payment, its open page is closed at the network', async () => {
  const key = await givenUp()
  const [first] = await till.attempts(key)
  till.forward(secondMs)
  await till.payer.choose(key, byBank, 'en')
  const reference = first?.connector_reference ?? ''
  await till.db.query(sql`update test_network.pages set state = 'paid' where reference = ${reference}`)
  await hint(key)
  assert.deepEqual(await states(key), ['succeeded', 'action_required'])
  await reconcile(till.paying)
  assert.deepEqual(await states(key), ['succeeded', 'abandoned'])
  assert.equal(await till.onPage(key, 'pay'), false)
})

test('two paid pages of one payment end as one payment and one returned charge', async () => {
  const key = await givenUp()
  const [first] = await till.attempts(key)
  till.forward(secondMs)
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  const reference = first?.connector_reference ?? ''
  await till.db.query(sql`update test_network.pages set state = 'paid' where reference = ${reference}`)
  await Promise.all([hint(key), till.payer.lookAgain(key, 'from_the_page')])
  await reconcile(till.paying)
  assert.deepEqual((await states(key)).toSorted(), ['returned', 'succeeded'])
  assert.equal(await till.bankKeeps(key), (await till.read(key)).amount_minor)
})

test('a different amount that arrives after we gave up is returned, as another attempt may be in progress', async () => {
  const key = await givenUp()
  await till.onPage(key, 'pay')
  const { amount_minor: amountMinor, currency } = await till.read(key)
  const [attempt] = await till.attempts(key)
  const odd = till.withBank(saying({ amountMinor: amountMinor - 1n, currency }))
  await askAbout(odd, { ...key, idempotencyKey: attempt?.idempotency_key })
  assert.deepEqual(await states(key), ['surplus'])
  assert.equal((await till.read(key)).state, 'pending')
  till.forward(dayMs)
  await reconcile(till.paying)
})
