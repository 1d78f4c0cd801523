import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { signWebhook, type Transaction } from '../../clients/node/src/index.ts'
import { call, openHouse, post, type House } from '../../test/support/house.ts'
import { cardOf } from '../../test/support/till.ts'
import { toMinor } from './src/amount.ts'
import { sessionStatusOf, webhookActionOf } from './src/outcome.ts'
import { checkOptions, FlorinPayments } from './src/payments.ts'
import { nextRefundRef } from './src/refund-ref.ts'
import { readTxRef } from './src/tx-ref.ts'
import { packageFiles } from './write-package.ts'

// The provider against a real Florin, without Medusa. `npm run shops` tries it in a real one.

const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
let house: House
let payments: FlorinPayments
let sessions = 0
const warnings: string[] = []

before(async () => {
  house = await openHouse()
  const options = { baseUrl: house.url, key: house.secretKey, webhookSecret }
  payments = new FlorinPayments(options, (text) => void warnings.push(text))
})
after(() => house.close())

type Data = Readonly<Record<string, unknown>>

async function newSession(amount: number | string = '12.34'): Promise<{ data: Data; txRef: string }> {
  sessions += 1
  const given = { session_id: `payses_${sessions}`, email: 'ada@example.com', first_name: 'Ada' }
  const { data } = await payments.initiate({ amount, currency_code: 'gbp', data: given })
  return { data, txRef: String(data['tx_ref']) }
}

async function look(
  txRef: string,
): Promise<{ status: string; amount_minor: number; refunded_minor: number }> {
  return (await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })).json.data
}

async function pay(data: Data): Promise<void> {
  const digits = /\d{32}$/.exec(String(data['checkout_url']))?.[0] ?? ''
  const key = { merchantId: house.merchantId, number: digits.slice(8), mode: 'test' as const }
  assert.equal((await house.app.payer.pay(key, cardOf('4242 4242 4242 4242'))).kind, 'paid')
}

async function hear(event: string, txRef: string) {
  const { body, headers } = await signWebhook({ event, tx_ref: txRef }, webhookSecret)
  return payments.readWebhook({ rawData: Buffer.from(body), headers })
}

test('amounts of Medusa become minor units without floats, rounded half up', () => {
  assert.equal(toMinor(12.34, 'gbp'), 1_234n)
  assert.equal(toMinor('0.285', 'GBP'), 29n)
  assert.equal(
    toMinor({ raw: { value: '90071992547409.93' }, numeric: 90_071_992_547_409.94 }, 'gbp'),
    9_007_199_254_740_993n,
  )
  assert.equal(toMinor({ value: '10' }, 'jpy'), 10n)
  assert.equal(toMinor({ toFixed: () => '1.2345' }, 'kwd'), 1_235n)
  for (const wrong of ['', '-1', '1e3', 'NaN']) assert.throws(() => toMinor(wrong, 'gbp'), TypeError)
})

test('a session leads to a payment at Florin, and asked for twice to the same one', async () => {
  const { data, txRef } = await newSession()
  assert.equal((await look(txRef)).amount_minor, 1_234)
  assert.match(String(data['checkout_url']), /\/payment\/\d{32}$/)
  const again = await payments.initiate({ amount: '12.34', currency_code: 'gbp', data })
  assert.equal(again.data['tx_ref'], txRef)
})

test('a session without an e-mail address says what the storefront has to send', async () => {
  await assert.rejects(
    payments.initiate({ amount: 1, currency_code: 'gbp', data: { session_id: 'payses_x' } }),
    /send `email`/,
  )
})

test('a paid session is captured, an unpaid one is pending and can’t be captured', async () => {
  const { data } = await newSession()
  assert.equal((await payments.status({ data })).status, 'pending')
  await assert.rejects(payments.capture({ data }), /has not been paid/)
  await pay(data)
  assert.equal((await payments.status({ data })).status, 'captured')
  assert.ok((await payments.capture({ data })).data['tx_ref'])
})

test('a payment of another amount than the session’s is an error', async () => {
  const { data } = await newSession()
  await pay(data)
  assert.equal((await payments.status({ data: { ...data, amount_minor: 1 } })).status, 'error')
})

test('a changed cart ends the old payment and starts another, an unchanged one keeps it', async () => {
  const { data, txRef } = await newSession()
  const same = await payments.update({ amount: '12.340', currency_code: 'GBP', data })
  assert.equal(same.data['tx_ref'], txRef)
  const changed = await payments.update({ amount: '20', currency_code: 'gbp', data })
  assert.equal(changed.data['tx_ref'], txRef.replace(/-1$/, '-2'))
  assert.equal((await look(txRef)).status, 'cancelled')
})

test('a deleted session ends its payment, but never one that was paid', async () => {
  const unpaid = await newSession()
  await payments.cancel({ data: unpaid.data })
  assert.equal((await look(unpaid.txRef)).status, 'cancelled')
  await payments.cancel({ data: unpaid.data })
  const paid = await newSession()
  await pay(paid.data)
  await assert.rejects(payments.cancel({ data: paid.data }), /complete the cart, or refund it/)
  await assert.rejects(payments.update({ amount: 1, currency_code: 'gbp', data: paid.data }), /has been paid/)
})

test('a refund whose answer was lost happens once, and the next one is another', async () => {
  const { data, txRef } = await newSession()
  await pay(data)
  const refund = async (known: Data, amount: string) =>
    payments.refund({ data: known, amount: { value: amount } })
  await refund(data, '5.00')
  await assert.rejects(refund(data, '6.00'), /earlier refund of 5\.00.*Refund that amount first/)
  const first = await refund(data, '5.00')
  assert.equal(first.data['refunded_minor'], 500)
  assert.equal((await refund(first.data, '5.00')).data['refunded_minor'], 1_000)
  await assert.rejects(refund(data, '100'))
  assert.equal((await look(txRef)).refunded_minor, 1_000)
})

test('a refund that failed is followed by another reference', () => {
  const refunds = [
    { refund_ref: 'payses_1-1-r1', status: 'success' },
    { refund_ref: 'payses_1-1-r2', status: 'failed' },
    { refund_ref: 'made-in-florin', status: 'failed' },
  ]
  const payment = { tx_ref: 'payses_1-1', refunds } as unknown as Transaction
  assert.equal(nextRefundRef(payment, 1), 'payses_1-1-r3')
})

test('a payment that Medusa never heard of is ended when the cart has changed, and stops the next if it was paid', async () => {
  for (const isPaid of [false, true]) {
    const { data, txRef } = await newSession()
    if (isPaid) await pay(data)
    const { tx_ref: _, ...unheard } = data
    const again = payments.initiate({ amount: '20', currency_code: 'gbp', data: unheard })
    if (isPaid) await assert.rejects(again, /has been paid/)
    else assert.equal((await again).data['tx_ref'], txRef.replace(/-1$/, '-2'))
    assert.equal((await look(txRef)).status, isPaid ? 'success' : 'cancelled')
  }
})

test('money for a payment that a newer one replaced is reported in the log, and the newer one is closed', async () => {
  const { data, txRef } = await newSession()
  const next = txRef.replace(/-1$/, '-2')
  const body = { tx_ref: next, amount: '20', currency: 'GBP', email: 'ada@example.com', first_name: 'Ada' }
  assert.equal((await post(`${house.url}/api/payment`, body, house.secretKey)).status, 201)
  assert.equal((await hear('payment.success', txRef)).action, 'not_supported')
  assert.deepEqual(warnings, [])
  await pay(data)
  assert.equal((await hear('payment.success', txRef)).action, 'not_supported')
  assert.match(warnings.join('\n'), /Florin received 12\.34 GBP \(payses_\d+-1, .* refund it in Florin/)
  assert.equal((await look(next)).status, 'cancelled')
})

test('a webhook names the session and what Florin has now, whatever the call says', async () => {
  const { data, txRef } = await newSession()
  const sessionId = readTxRef(txRef)?.sessionId ?? ''
  assert.deepEqual(await hear('payment.success', txRef), {
    action: 'pending',
    data: { session_id: sessionId, amount: '12.34' },
  })
  await pay(data)
  assert.equal((await hear('payment.cancelled', txRef)).action, 'captured')
  assert.equal((await hear('refund.succeeded', txRef)).action, 'not_supported')
  assert.deepEqual(await hear('payment.success', 'order-1001'), { action: 'not_supported' })
})

test('a webhook with another secret is refused', async () => {
  const { body, headers } = await signWebhook(
    { event: 'payment.success', tx_ref: 'payses_1-1' },
    `whsec_${btoa('another')}`,
  )
  await assert.rejects(payments.readWebhook({ rawData: body, headers }), /No signature matches/)
})

test('every status of Florin has a meaning in Medusa, and unknown ones never place an order', () => {
  const all = ['success', 'pending', 'failed', 'cancelled', 'expired', 'refunded', 'reversed', 'teleported']
  assert.deepEqual(
    all.map((status) => [sessionStatusOf(status), webhookActionOf('payment.x', status)]),
    [
      ['captured', 'captured'],
      ['pending', 'pending'],
      ['error', 'failed'],
      ['canceled', 'canceled'],
      ['canceled', 'canceled'],
      ['canceled', 'not_supported'],
      ['canceled', 'not_supported'],
      ['pending', 'not_supported'],
    ],
  )
})

test('Medusa refuses to start with options that are missing or of the wrong kind', () => {
  const good = { baseUrl: house.url, key: house.secretKey, webhookSecret }
  checkOptions(good)
  assert.throws(() => checkOptions({ ...good, webhookSecret: '' }), /webhookSecret/)
  assert.throws(() => checkOptions({ ...good, key: house.apiKey }), /secret key/)
})

test('the package has all that it imports, and no types', () => {
  const files = packageFiles()
  const names = files.map(({ name }) => name)
  for (const { name, text } of files.filter((file) => file.name.endsWith('.js'))) {
    assert.doesNotMatch(text, /\.ts'|import type/, name)
    for (const [, to = ''] of text.matchAll(/ from '(\.[^']+)'/g))
      assert.ok(names.includes(new URL(to, `file:///${name}`).pathname.slice(1)), `${name} imports ${to}`)
  }
})

test('the guide shows the storefront’s code as it is tried', () => {
  const guide = readFileSync(new URL('../../docs/medusa.md', import.meta.url), 'utf8')
  const code = readFileSync(new URL('./storefront.js', import.meta.url), 'utf8')
  assert.ok(guide.includes(code))
})
