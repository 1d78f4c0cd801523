import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { reconcile } from '../../../core/payments/attempts/reconcile.ts'
import { forgetMethods } from '../forget/forget-methods.ts'
import { changeRules } from '../rules.ts'
import { hours, makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { newLink } from '../../../../test/support/customer.ts'
import { call, openHouse, post, type House } from '../../../../test/support/house.ts'
import { paymentRequest } from '../../../../test/support/payment-request.ts'
import { charge, charged, lookUp, payOnPage, saveCard } from '../../../../test/support/saved-methods.ts'

// A customer saves a card, and the merchant charges it again without them.

let house: House
let clock: Clock
before(async () => {
  clock = makeStillClock()
  house = await openHouse({ world: { now: clock.now } })
})
after(() => house.close())

const cards = {
  asksLater: '4000 0027 6000 3184',
  softLater: '4000 0000 0000 0341',
  hardLater: '4000 0000 0000 9979',
  expiredLater: '4000 0000 0000 0036',
  challenge: '4000 0000 0000 3220',
  timeOutPaid: '4000 0000 0000 5043',
  comesBack: '4000 0000 0000 8245',
}
const by = { kind: 'system', name: 'test' } as const

async function events(txRef: string): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select deliveries.event from deliveries join payments using (merchant_id, number)
    where payments.tx_ref = ${txRef} and kind = 'ipn' order by deliveries.created_at, deliveries.id`)
  return rows.map(({ event }) => event)
}

const keeping = () => ({ ...house.app.core, secrets: house.secrets, paying: house.app.paying })

test('the page states the agreement, which is kept as evidence, and the card is saved and charged again', async () => {
  const link = await newLink(house, { save: 'recurring', customer_ref: 'ada', save_limit: '50' })
  const page = await payOnPage(link)
  assert.match(
    page,
    /you agree that .*Corner shop.* saves this payment method and charges it again on a schedule/,
  )
  assert.match(page, /At most £50\.00 a day\./)
  assert.ok(page.indexOf('you agree that') < page.indexOf('class="go"'), 'above the button')

  const { saved_method: saved, status } = await lookUp(house, link.txRef)
  assert.equal(status, 'success')
  assert.match(saved?.id ?? '', /^svm_/)
  assert.deepEqual(
    { ...saved, id: '' },
    {
      id: '',
      kind: 'card',
      brand: 'Visa',
      last4: '4242',
      expires: '2029-08',
      network: 'test-network',
      usable: true,
    },
  )
  assert.deepEqual((await events(link.txRef)).toSorted(), ['method.saved', 'payment.success'])
  const [consent] = await house.db.query<Record<string, unknown>>(sql`
    select agreement, limit_minor::text as limit_minor, language, words, address from saved_method_consents
    where number = ${link.digits.slice(8)}`)
  assert.equal(consent?.['agreement'], 'recurring')
  assert.equal(consent['limit_minor'], '5000')
  assert.match(String(consent['words']), /By paying, you agree that .*Corner shop.* At most £50\.00 a day\./)
  assert.equal(consent['address'], '127.0.0.1')

  const first = await charged(house, saved?.id ?? '', { tx_ref: 'renewal-1', description: 'December' })
  assert.equal(first.status, 'success')
  assert.equal(first.saved_method?.id, saved?.id)
  assert.deepEqual(await events('renewal-1'), ['payment.success'])
  const again = await charge(house, saved?.id ?? '', { tx_ref: 'renewal-1', description: 'December' })
  assert.equal(again.status, 202)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = await charge(house, saved?.id ?? '', { tx_ref: 'renewal-1', amount: '5' })
  assert.equal(other.json.code, 'tx_ref_taken')
  const tooMuch = await charge(house, saved?.id ?? '', { amount: '40.11' })
  assert.equal(tooMuch.json.code, 'charge_limit')
  const orders = await house.db.query(sql`select from test_network.charges where amount_minor = 990`)
  assert.equal(orders.length, 1)
})

test('save needs a customer_ref, and a limit needs save', async () => {
  const create = async (fields: Record<string, unknown>) =>
    (await post(`${house.url}/api/payment`, paymentRequest(fields), house.secretKey)).json.message
  assert.equal(await create({ save: 'recurring' }), 'customer_ref is required')
  assert.match(await create({ save: 'yes', customer_ref: 'a' }), /save must be one of recurring, unscheduled/)
  assert.match(await create({ save_limit: '5' }), /save_limit needs save/)
  assert.match(await create({ save: 'recurring', customer_ref: 'a', save_limit: '-1' }), /^save_limit /)
})

test('a live payment that no network of the account can save is refused', async () => {
  const body = paymentRequest({
    save: 'recurring',
    customer_ref: 'ada',
    callback_url: undefined,
    return_url: undefined,
  })
  const answer = await post(`${house.url}/api/payment`, body, house.liveKey)
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.json.code, 'cannot_save')
})

test('nothing is saved without the agreement, and with 3-D Secure only after it', async () => {
  const link = await newLink(house, { save: 'recurring', customer_ref: 'ada' })
  await payOnPage(link, undefined, ['agreed'])
  const paid = await lookUp(house, link.txRef)
  assert.equal(paid.status, 'success')
  assert.equal(paid.saved_method, undefined)

  const checked = await newLink(house, { save: 'unscheduled', customer_ref: 'ada' })
  await payOnPage(checked, cards.challenge)
  assert.equal((await lookUp(house, checked.txRef)).saved_method, undefined)
  await house.app.payer.answerChallenge(
    { merchantId: house.merchantId, number: checked.digits.slice(8) },
    1,
    'approve',
  )
  const { saved_method: saved } = await lookUp(house, checked.txRef)
  assert.equal((await charged(house, saved?.id ?? '')).status, 'success', 'without 3-D Secure')
})

test('a bank that wants the customer leaves the charge open for them', async () => {
  const { id } = await saveCard(house, cards.asksLater)
  const open = await charged(house, id, { tx_ref: 'asks-1', email_customer: true })
  assert.equal(open.status, 'pending')
  assert.equal(open.failure?.code, 'needs_customer')
  assert.equal(open.failure.may_retry, false)
  assert.deepEqual(await events('asks-1'), ['payment.needs_customer'])
  const mails = await house.db.query(sql`
    select from deliveries where kind = 'mail' and event = 'payment.needs_customer'`)
  assert.equal(mails.length, 1)

  const digits = (open.checkout_url ?? '').slice(-32)
  const page = await payOnPage({ digits, url: `${house.url}/payment/${digits}`, txRef: 'asks-1' })
  assert.match(page, /Your bank wants you to approve this payment yourself/)
  assert.doesNotMatch(page, /you agree that/)
  const paid = await lookUp(house, 'asks-1')
  assert.equal(paid.status, 'success')
  assert.equal(paid.failure, undefined)
})

test('a soft decline may be retried after a wait, and 15 tries in 30 days are the most', async () => {
  const { id } = await saveCard(house, cards.softLater)
  const first = await charged(house, id, { tx_ref: 'soft-1' })
  assert.equal(first.status, 'failed')
  assert.deepEqual(
    { ...first.failure, message: '' },
    {
      code: 'declined',
      message: '',
      reason: 'insufficient_funds',
      may_retry: true,
      retry_after: new Date(clock.now().getTime() + hours).toISOString(),
    },
  )
  assert.deepEqual(await events('soft-1'), ['payment.failed'])
  const mails = await house.db.query(
    sql`select from deliveries where kind = 'mail' and event = 'payment.failed'`,
  )
  assert.equal(mails.length, 0, 'the customer was not there, and the merchant may try again')
  assert.equal((await charge(house, id)).json.code, 'retry_too_early')
  clock.jump(hours)
  assert.equal((await charged(house, id)).status, 'failed')
  await house.db.query(sql`
    update saved_methods set retry_at = null, tries = array_fill(${clock.now()}::timestamptz, array[15]) where id = ${id}`)
  const limited = await charge(house, id)
  assert.equal(limited.json.code, 'charge_limit', limited.text)
  assert.match(limited.json.message, /15 times in 30 days/)
})

test('a hard decline ends the method for good, at the network too', async () => {
  for (const card of [cards.hardLater, cards.expiredLater]) {
    const { id } = await saveCard(house, card)
    const failed = await charged(house, id)
    assert.equal(failed.status, 'failed')
    assert.equal(failed.failure?.code, 'method_ended')
    assert.equal(failed.failure.may_retry, false)
    assert.equal(failed.saved_method?.usable, false)
    assert.deepEqual((await events(failed.tx_ref)).toSorted(), ['method.ended', 'payment.failed'])
    assert.equal((await charge(house, id)).json.code, 'method_ended')
    await forgetMethods(keeping())
    const [row] = await house.db.query<{ token: Buffer | null }>(sql`
      select token from saved_methods where id = ${id} and forgotten_at is not null`)
    assert.equal(row?.token, null)
  }
})

test('a charge whose answer is lost is asked about and never sent again', async () => {
  const link = await newLink(house, { save: 'recurring', customer_ref: 'lost' })
  await payOnPage(link, cards.timeOutPaid)
  clock.jump(10_000)
  await reconcile(house.app.paying)
  const { saved_method: saved } = await lookUp(house, link.txRef)
  const lost = await charged(house, saved?.id ?? '', { tx_ref: 'lost-1' })
  assert.equal(lost.status, 'pending')
  assert.equal((await charged(house, saved?.id ?? '', { tx_ref: 'lost-1' })).status, 'pending')
  clock.jump(10_000)
  await reconcile(house.app.paying)
  assert.equal((await lookUp(house, 'lost-1')).status, 'success')
})

test('a charge that the bank takes back days after it was paid is reversed, and the method stays', async () => {
  const { id } = await saveCard(house, cards.comesBack, { tx_ref: 'debit-1' })
  const paid = await charged(house, id, { tx_ref: 'debit-2' })
  assert.equal(paid.status, 'success')
  const disputes = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  for (const waitMs of [6_000, 60_000]) {
    clock.jump(waitMs)
    while ((await disputes.run()) > 0);
  }
  assert.equal((await lookUp(house, 'debit-1')).status, 'success', 'the payment that saved it stays paid')
  const back = await lookUp(house, 'debit-2')
  assert.equal(back.status, 'reversed')
  assert.equal(back.saved_method?.usable, true)
  const told = (await events('debit-2')).toSorted().join(' ')
  assert.equal(told, 'dispute.lost dispute.opened payment.reversed payment.success')
})

test('50 equal charges at once make one, and the network charges once', async () => {
  const { id } = await saveCard(house, undefined, { customer_ref: 'crowd' })
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => charge(house, id, { tx_ref: 'crowd-1', amount: '1.23' })),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
  assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
  const orders = await house.db.query(sql`select from test_network.charges where amount_minor = 123`)
  assert.equal(orders.length, 1)
  assert.equal((await lookUp(house, 'crowd-1')).status, 'success')
})

test('an ended method is listed, never charged again, and forgotten by the network', async () => {
  const { id } = await saveCard(house, undefined, { customer_ref: 'leaver' })
  const list = async () =>
    (await call(`${house.url}/api/saved-methods?customer_ref=leaver`, { key: house.secretKey })).json
      .data as readonly { id: string; usable: boolean; ended_by?: string }[]
  assert.deepEqual(
    (await list()).map((method) => [method.id, method.usable]),
    [[id, true]],
  )
  const end = async () =>
    call(`${house.url}/api/saved-methods/${id}`, { method: 'DELETE', key: house.secretKey })
  assert.equal((await end()).status, 200)
  assert.equal((await end()).status, 200, 'twice is no mistake')
  assert.deepEqual(
    (await list()).map((method) => [method.usable, method.ended_by]),
    [[false, 'merchant']],
  )
  assert.equal((await charge(house, id)).json.code, 'method_ended')
  assert.equal(await forgetMethods(keeping()), 1)
  const [card] = await house.db.query(sql`
    select from test_network.saved_cards where forgotten_at is not null and payment_number =
      (select number from saved_methods where id = ${id})`)
  assert.ok(card)
})

test('a stop and a ceiling hold at once, and are audited', async () => {
  const { id } = await saveCard(house, undefined, { customer_ref: 'braked' })
  const scope = { merchantId: house.merchantId, mode: 'test' } as const
  await changeRules(house.app.core, scope, { isStopped: true }, by)
  assert.equal((await charge(house, id)).json.code, 'charges_stopped')
  const ceilings = new Map([['GBP', { methodMinor: 1_000n }]])
  await changeRules(house.app.core, scope, { isStopped: false, ceilings }, by)
  assert.equal((await charged(house, id, { amount: '9.99' })).status, 'success')
  assert.equal((await charge(house, id, { amount: '0.02' })).json.code, 'charge_limit')
  const declined = await saveCard(house, cards.softLater, { customer_ref: 'braked' })
  assert.equal((await charged(house, declined.id, { amount: '10' })).status, 'failed')
  clock.jump(hours)
  assert.equal(
    (await charged(house, declined.id, { amount: '10' })).status,
    'failed',
    'a decline takes no room',
  )
  await changeRules(house.app.core, scope, { ceilings: new Map([['GBP', {}]]) }, by)
  const acts = await house.db.query<{ action: string }>(sql`
    select distinct action from audit_log where action like 'saved_method.%' order by action`)
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['saved_method.charged', 'saved_method.ended', 'saved_method.rules_changed'],
  )
})

test('another merchant or mode finds nothing', async () => {
  const { id } = await saveCard(house)
  const look = await call(`${house.url}/api/saved-methods/${id}`, { key: house.liveKey })
  assert.equal(look.status, 404)
  const body = { tx_ref: 'x', amount: '1', currency: 'GBP' }
  const answer = await post(`${house.url}/api/saved-methods/${id}/charges`, body, house.liveKey)
  assert.equal(answer.status, 404)
})
