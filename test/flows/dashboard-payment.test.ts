import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { hours, makeClock } from '../support/clock.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { paidPayment, refund } from '../support/refunds.ts'
import { cards } from '../support/till.ts'
import { waitUntil } from '../support/wait-until.ts'
import { newPerson, Visitor, type PersonAt } from '../support/visitor.ts'

// One payment in the dashboard: its story, and what people do with it. Who did it stands in the audit log.

const clock = makeClock()
let house: House
let receiver: Receiver
let worker: { stop(): Promise<void> }
let owner: PersonAt
let visitor: Visitor
let list: string

before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  worker = house.app.startWorker()
  receiver = await openReceiver((_, response) => void response.writeHead(503).end('<b>no room</b>'))
  owner = await newPerson(house, { role: 'owner' })
  visitor = await come(owner)
  list = `/dashboard/${house.merchantId}/test/payments`
})
after(async () => {
  await worker.stop()
  await receiver.close()
  await house.close()
})

async function come(person: PersonAt): Promise<Visitor> {
  const one = new Visitor(house)
  await one.signIn(person)
  return one
}

/** Every notification of it was tried; `tries` times in all. */
async function delivered({ txRef }: { txRef: string }, tries = 1): Promise<void> {
  type Listed = { kind: string; attempts: unknown[] }[]
  await waitUntil('the notification was tried', async () => {
    const { json } = await call(`${house.url}/api/transaction/${txRef}/notifications`, {
      key: house.secretKey,
    })
    const all = (json.data as Listed).filter(({ kind }) => kind === 'ipn')
    return all.length > 0 && all.every(({ attempts }) => attempts.length >= tries)
  })
}

const pathOf = ({ number }: { number: string }): string => `${list}/${number}`

/** What the timeline says, newest first. */
function storyIn(text: string): string[] {
  const timeline = /<ol class="timeline">([^]*?)<\/ol>/.exec(text)?.[1] ?? ''
  return [...timeline.matchAll(/<li[^>]*>\s*<div><b>([^]*?)<\/b>/g)].map((match) =>
    (match[1] ?? '').replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' '),
  )
}

async function entries(action: string): Promise<{ actor: string; subject: string }[]> {
  return house.db.query(sql`
    select actor, subject from audit_log where merchant_id = ${house.merchantId} and action = ${action} order by at, id`)
}

const fieldIn = (text: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1] ??
  new RegExp(`name="${name}"[^]*?value="([^"]*)"`).exec(text)?.[1] ??
  ''

test('the page tells the whole story in order, with reasons, attempts and answers', async () => {
  const payment = await createPayment(house, { amount: '10.00', callback_url: receiver.url })
  await house.app.payer.pay({ ...payment, mode: 'test' }, cards.declined)
  await house.app.payer.pay({ ...payment, mode: 'test' }, cards.good)
  await delivered(payment)
  await refund(house, payment, { amount: '4.00', reason: 'One was broken' })
  const { text } = await visitor.get(pathOf(payment))
  const story = storyIn(text)
  const expected = [
    'Refund of £4.00 succeeded',
    'Refund of £4.00 requested',
    'Paid',
    'Attempt 2 succeeded',
    'Attempt 2 started',
    'Attempt 1 was declined',
    'Attempt 1 started',
    'Payment created',
  ]
  const shown = story.map((line) => line.replace('&#163;', '£'))
  assert.deepEqual(
    shown.filter((line) => expected.includes(line)),
    expected,
  )
  assert.ok(shown.indexOf('Notification payment.success not delivered') < shown.indexOf('Paid'))
  assert.ok(shown.some((line) => line.startsWith('E-mail payment.success')))
  assert.match(text, /response 503[^]*Response from your server[^]*&lt;b&gt;no room&lt;\/b&gt;/)
  assert.match(text, /One was broken/)
  assert.match(text, /part refunded/)
})

test('a refund is requested, confirmed and made once, however often it is sent', async () => {
  const payment = await paidPayment(house)
  const path = pathOf(payment)
  const form = await visitor.get(`${path}/refund`)
  const refund_ref = fieldIn(form.text, 'refund_ref')
  assert.match(refund_ref, /^dashboard-\w{16}$/)
  assert.equal(fieldIn(form.text, 'amount'), '10.00', 'all that is left stands there')
  const sure = await visitor.post(`${path}/refund`, { refund_ref, amount: ' £4,00 ', reason: 'Late' })
  assert.match(sure.text, /Refund &#163;4\.00\?[^]*&#163;6\.00/)
  const fields = { refund_ref, amount: fieldIn(sure.text, 'amount'), reason: 'Late' }
  const sent = await Promise.all([1, 2, 3].map(async () => visitor.post(`${path}/refund/do/confirm`, fields)))
  for (const one of sent) assert.deepEqual([one.status, one.to], [303, path])
  const { json } = await call(`${house.url}/api/transaction/${payment.txRef}/refunds`, {
    key: house.secretKey,
  })
  const refunds = json.data as { amount: string; refund_ref: string }[]
  assert.deepEqual(
    refunds.map(({ amount, refund_ref: ref }) => [amount, ref]),
    [['4.00', refund_ref]],
  )
  assert.deepEqual(
    (await entries('refund.requested')).filter(({ subject }) => subject === refund_ref),
    [{ actor: owner.id, subject: refund_ref }],
  )
  const again = await visitor.get(`${path}/refund`)
  assert.notEqual(fieldIn(again.text, 'refund_ref'), refund_ref)
  assert.equal(fieldIn(again.text, 'amount'), '6.00')
  const rest = await visitor.post(`${path}/refund`, { amount: '6.00' })
  assert.equal(rest.status, 200, 'all that is left may go back')
  assert.match(rest.text, /Refund (?:£|&#163;)6\.00\?/)
})

test('an empty, too large or malformed amount is reported beside its field, and nothing is refunded', async () => {
  const payment = await paidPayment(house)
  const path = pathOf(payment)
  for (const amount of ['', ' ', 'all', '0', '-1', '10.01', '1e1', '4.001']) {
    await visitor.get(`${path}/refund`)
    const seen = await visitor.post(`${path}/refund`, { amount })
    assert.deepEqual([seen.status, /id="amount-error"/.test(seen.text)], [400, true], amount)
    await visitor.get(`${path}/refund`)
    const straight = await visitor.post(`${path}/refund/do/confirm`, { amount })
    assert.ok([400, 409, 422].includes(straight.status), `${amount}: ${straight.status}`)
  }
  const { json } = await call(`${house.url}/api/transaction/${payment.txRef}/refunds`, {
    key: house.secretKey,
  })
  assert.deepEqual(json.data, [])
})

test('a pending payment shows its link, is cancelled after a confirmation, and then can’t be cancelled', async () => {
  const payment = await createPayment(house)
  const path = pathOf(payment)
  const page = await visitor.get(path)
  assert.match(page.text, new RegExp(`value="[^"]+/payment/${house.merchantId}${payment.number}"`))
  assert.match(page.text, /aria-label="The payment link as a QR code"[^>]*>\s*<svg/)
  assert.match((await visitor.get(`${path}/cancel`)).text, /Cancel this payment\?/)
  assert.equal((await visitor.post(`${path}/cancel`)).to, path)
  assert.match((await visitor.get(path)).text, /Cancelled by you/)
  await visitor.get(`${path}/cancel`)
  const again = await visitor.post(`${path}/cancel`)
  assert.equal(again.status, 409)
  assert.match(again.text, /already cancelled/)
  const done = (await entries('payment.cancelled')).filter(({ subject }) => subject === payment.txRef)
  assert.deepEqual(done, [{ actor: owner.id, subject: payment.txRef }])
  assert.doesNotMatch((await visitor.get(path)).text, /QR code/)
})

test('a notification is resent by a button, and audited with the person', async () => {
  const payment = await paidPayment(house, 'good', { callback_url: receiver.url })
  await delivered(payment)
  const { text } = await visitor.get(pathOf(payment))
  const id = /do\/resend"[^]*?name="id" value="([^"]+)"/.exec(text)?.[1] ?? ''
  assert.equal((await visitor.post(`${pathOf(payment)}/do/resend`, { id })).to, pathOf(payment))
  await delivered(payment, 2)
  assert.equal(receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length, 2)
  assert.ok(
    (await entries('notifications.resent')).some((one) => one.actor === owner.id && one.subject === id),
  )
  const other = await paidPayment(house)
  await visitor.get(pathOf(other))
  assert.equal((await visitor.post(`${pathOf(other)}/do/resend`, { id })).status, 404, 'of another payment')
})

test('notes are visible to the team and can be withdrawn by their author', async () => {
  const payment = await paidPayment(house)
  const path = pathOf(payment)
  await visitor.fill(path, { note: 'Rang <b>twice</b>.\r\nCall back.' }, `${path}/do/note`)
  const support = await come(await newPerson(house, { role: 'support' }))
  const { text } = await support.get(path)
  assert.match(text, /Rang &lt;b&gt;twice&lt;\/b&gt;\.\nCall back\./)
  assert.match(text, new RegExp(owner.name))
  const [note] = await house.db.query<{ id: string }>(sql`
    select id from payment_notes where merchant_id = ${house.merchantId} and number = ${payment.number}`)
  const id = note?.id ?? ''
  assert.doesNotMatch(text, new RegExp(id), 'only its author can delete it')
  assert.equal((await support.post(`${path}/do/take-back-note`, { id })).status, 404)
  await visitor.get(path)
  assert.equal((await visitor.post(`${path}/do/take-back-note`, { id })).to, path)
  assert.doesNotMatch((await visitor.get(path)).text, /twice/)
  const acts = [...(await entries('payment.note_added')), ...(await entries('payment.note_deleted'))]
  assert.deepEqual(acts, [
    { actor: owner.id, subject: payment.txRef },
    { actor: owner.id, subject: payment.txRef },
  ])
})

test('a note that is empty, too long or holds a card number is refused and stays in its box', async () => {
  const path = pathOf(await paidPayment(house))
  for (const note of ['', 'x'.repeat(2_001), 'Card 4242 4242 4242 4242', 'a\u0007b']) {
    const seen = await visitor.fill(path, { note }, `${path}/do/note`)
    assert.deepEqual([seen.status, /id="note-error"/.test(seen.text)], [400, true], note.slice(0, 30))
  }
  const kept = await visitor.fill(path, { note: 'Number 4242424242424242' }, `${path}/do/note`)
  assert.match(kept.text, /<textarea[^>]*>Number 4242424242424242</)
})

test('the JSON matches the API’s look-up, digit by digit', async () => {
  const txRef = 'exact-1'
  const body = `{"tx_ref":"${txRef}","amount":"10.00","currency":"GBP","email":"ada@example.com","first_name":"Ada","last_name":"L","return_url":"https://shop.example/","meta":{"big":12345678901234567890,"text":"a, {b}: \\"c\\"","none":[]}}`
  const made = await call(`${house.url}/api/payment`, {
    method: 'POST',
    body,
    key: house.secretKey,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(made.status, 201, made.text)
  const looked = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  const { to } = await visitor.get(`${list}/by-ref/${txRef}`)
  const { text } = await visitor.get(`${to}/json`)
  const shown = unescape(/<code>(\{[^]*?)<\/code><\/pre>/.exec(text)?.[1] ?? '')
  assert.match(shown, /"big": 12345678901234567890,/)
  assert.deepEqual(JSON.parse(shown), looked.json)
})

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
}

test('a viewer sees the payment but none of its buttons, receivers or answers', async () => {
  const payment = await paidPayment(house, 'good', { callback_url: `${receiver.url}?secret=1` })
  await delivered(payment)
  const viewer = await come(await newPerson(house, { role: 'viewer' }))
  const { text } = await viewer.get(pathOf(payment))
  assert.match(text, />Paid</)
  for (const word of ['Refund<', 'Send again', 'Add a note', 'no room']) assert.ok(!text.includes(word), word)
})

test('a payment is found only in its own mode', async () => {
  const payment = await paidPayment(house)
  assert.equal((await visitor.get(`${list}/${payment.number}`)).status, 200)
  const live = list.replace('/test/', '/live/')
  for (const name of [`by-ref/${payment.txRef}`, payment.number, 'by-ref/nothing', 'by-ref/%00'])
    assert.equal((await visitor.get(`${live}/${name}`)).status, 404, name)
})

test('a refund requires a fresh proof, and returns to its form', async () => {
  const payment = await paidPayment(house)
  const path = pathOf(payment)
  await visitor.get(`${path}/refund`)
  clock.jump(hours / 2)
  const seen = await visitor.post(`${path}/refund/do/confirm`, { amount: '1.00' })
  assert.equal(seen.to, `/dashboard/prove?next=${encodeURIComponent(`${path}/refund`)}`)
  const { json } = await call(`${house.url}/api/transaction/${payment.txRef}/refunds`, {
    key: house.secretKey,
  })
  assert.deepEqual(json.data, [])
})
