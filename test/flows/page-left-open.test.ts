import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import { composeMail, type MailFacts } from '../../src/core/notifications/mail/compose-mail.ts'
import { askAbout } from '../../src/core/payments/attempts/hosted/ask-about.ts'
import { expirePayments } from '../../src/core/payments/attempts/expire-payments.ts'
import { makePayer, type Payable } from '../../src/core/payments/attempts/pay.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { listHistory } from '../../src/core/payments/history-store.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { byBank } from '../support/hosted-choice.ts'
import { cards, dayMs, hourMs, minuteMs, openTill, type Till } from '../support/till.ts'

// A network that can't close its page: the customer leaves it, and may pay on it days later.

let till: Till
before(async () => {
  till = await openTill()
})
afterEach(() => till.rewind())
after(() => till.close())

/** The test bank, with pages that never end. */
const unclosable: Partial<HostedConnector> = {
  async fetch(account, order, signal) {
    const status = await till.bank.fetch(account, order, signal)
    return status.kind === 'declined' ? { kind: 'open', connectorReference: 'never-ends' } : status
  },
  async withdraw(...asked) {
    const status = await till.bank.fetch(...asked)
    return status.kind === 'charged' ? status : { kind: 'still_open' }
  },
}

async function payOnFirstPage(key: PaymentKey): Promise<void> {
  const [first] = await till.attempts(key)
  const reference = first?.connector_reference ?? ''
  await till.db.query(sql`update test_network.pages set state = 'paid' where reference = ${reference}`)
}

const paying = () => till.withBank(unclosable)

async function states(key: PaymentKey): Promise<string[]> {
  return (await till.attempts(key)).map(({ state }) => state)
}

async function pageOpened(): Promise<Payable> {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.choose(key, byBank, 'en'), { kind: 'action_required' })
  return key
}

async function cancelledWithPage(): Promise<PaymentKey> {
  const key = await pageOpened()
  await makePayer(paying()).cancel(key, 'customer')
  assert.deepEqual([(await till.read(key)).state, await states(key)], ['cancelled', ['left_open']])
  return key
}

async function hint(key: PaymentKey): Promise<void> {
  const [attempt] = await till.attempts(key)
  assert.equal(await askAbout(paying(), { ...key, idempotencyKey: attempt?.idempotency_key }), 'asked')
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

test('a payment can be cancelled although its page can’t be closed, and later money is returned', async () => {
  const key = await cancelledWithPage()
  await payOnFirstPage(key)
  await hint(key)
  assert.deepEqual([(await till.read(key)).state, await states(key)], ['cancelled', ['surplus']])
  await reconcile(paying())
  assert.deepEqual(await states(key), ['returned'])
  assert.equal(await till.bankKeeps(key), 0n)
  const [mail, ...others] = await mailsTo(key)
  assert.deepEqual([mail?.event, others], ['charge.after_end', []])
  assert.match(mail?.text ?? '', /Don't ship: the payment is not paid/)
  assert.match(till.log(), /"trouble":"after_end"/)
  assert.deepEqual((await listHistory(till.db, key)).map(({ event }) => event).slice(-4), [
    'page_left',
    'cancelled_by_customer',
    'charged_after_end',
    'money_returned',
  ])
})

test('a payment expires although its page can’t be closed, and a lost callback is replaced by asking', async () => {
  const key = await pageOpened()
  till.forward(2 * hourMs)
  await reconcile(paying())
  assert.deepEqual(await states(key), ['left_open'])
  till.forward(8 * dayMs)
  await expirePayments(paying())
  till.rewind()
  till.forward(2 * hourMs)
  assert.equal((await till.read(key)).state, 'expired')
  await payOnFirstPage(key)
  till.forward(2 * minuteMs)
  await reconcile(paying())
  await reconcile(paying())
  assert.deepEqual(await states(key), ['returned'])
  assert.equal(await till.bankKeeps(key), 0n)
})

test('while the payment is payable, money on the abandoned page pays it', async () => {
  const key = await pageOpened()
  till.forward(2 * hourMs)
  await reconcile(paying())
  assert.deepEqual(await states(key), ['left_open'])
  await payOnFirstPage(key)
  await hint(key)
  assert.deepEqual([(await till.read(key)).state, await states(key)], ['success', ['succeeded']])
  assert.deepEqual(await mailsTo(key), [])
})

test('a customer who returns from a page they had left is seen to have paid at once', async () => {
  const key = await pageOpened()
  till.forward(2 * hourMs)
  await reconcile(paying())
  assert.deepEqual(await states(key), ['left_open'])
  const payer = makePayer(paying())
  assert.equal(await payer.lookAgain(key, 'from_the_page'), 'still_open')
  await payOnFirstPage(key)
  till.forward(minuteMs)
  assert.equal(await payer.lookAgain(key, 'from_the_page'), 'new')
  assert.equal((await till.read(key)).state, 'success')
})

test('a card can pay after the page was left, and a second charge on the page is returned', async () => {
  const key = await pageOpened()
  assert.deepEqual(await makePayer(paying()).pay(key, cards.good), { kind: 'paid' })
  assert.deepEqual(await states(key), ['left_open', 'succeeded'])
  await payOnFirstPage(key)
  await hint(key)
  await reconcile(paying())
  assert.deepEqual(await states(key), ['returned', 'succeeded'])
  assert.equal(await till.bankKeeps(key), 0n)
  assert.equal((await mailsTo(key))[0]?.event, 'charge.surplus')
})

test('an abandoned page is watched for a week, and a callback counts even later', async () => {
  const key = await cancelledWithPage()
  let asked = 0
  const counting = till.withBank({
    ...unclosable,
    async fetch(...order) {
      asked += 1
      return till.bank.fetch(...order)
    },
  })
  for (let hours = 0; hours < 10 * 24; hours += 1) {
    till.forward(hourMs)
    await reconcile(counting)
  }
  assert.ok(asked > 5 && asked < 20, `${asked} questions`)
  assert.deepEqual(await states(key), ['left_open'])
  await payOnFirstPage(key)
  await hint(key)
  assert.deepEqual(await states(key), ['surplus'])
})
