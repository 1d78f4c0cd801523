import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { makeOutbound } from '../../src/platform/outbound/outbound.ts'
import { webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { signatureHeaders } from '../../src/core/notifications/ipn/signature.ts'
import { hours, makeStillClock, minutes } from '../support/clock.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { answerWith, openReceiver, type Behaviour, type Receiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

// Receivers that misbehave in each way, on a clock that the test moves. Tries have 3 s instead of 15 s.

const clock = makeStillClock()
let house: House
let worker: { stop(): Promise<void> }
before(async () => {
  house = await openHouse({
    // Nobody's allowance grows while the clock stands, and the tests ask again and again.
    settings: { RATE_LIMIT_BURST: '1000000' },
    world: { now: clock.now, random: () => 0.5, outbound: makeOutbound({ timeoutMs: 3_000 }) },
  })
  // Not the whole worker: on a clock that is days ahead it would expire payments before they are paid.
  worker = house.app.deliverer.start()
})
after(async () => {
  await worker.stop()
  await house.close()
})

type Attempt = {
  attempt: number
  http_status: number | null
  error: string | null
  ms: number
  answer: string | null
}
type Listed = { id: string; kind: string; status: string; next_try_at: string | null; attempts: Attempt[] }

async function ipnOf(payment: { txRef: string }): Promise<Listed> {
  const answer = await call(`${house.url}/api/transaction/${payment.txRef}/notifications`, {
    key: house.secretKey,
  })
  const found = (answer.json.data as Listed[]).find(({ kind }) => kind === 'ipn')
  assert.ok(found)
  return found
}

async function paid(
  receiver: Receiver | string,
): Promise<{ txRef: string; number: string; merchantId: number }> {
  const payment = await createPayment(house, {
    callback_url: typeof receiver === 'string' ? receiver : receiver.url,
  })
  await happens(house, payment, 'paid')
  return payment
}

async function afterAttempts(payment: { txRef: string }, count: number): Promise<Listed> {
  await waitUntil(`${count} attempts are noted`, async () => (await ipnOf(payment)).attempts.length >= count)
  return ipnOf(payment)
}

/** Milliseconds until the next try, as the clock of the house sees it. */
function untilNext(ipn: Listed): number {
  return Date.parse(ipn.next_try_at ?? '') - clock.now().getTime()
}

const ways: { name: string; behave: Behaviour; attempt: Partial<Attempt> }[] = [
  { name: 'hangs', behave: () => {}, attempt: { http_status: null, error: 'timeout' } },
  {
    name: 'drips its headers',
    behave: (request, response) => {
      request.socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => request.socket.write('x-drip: 1\r\n'), 20)
      response.on('close', () => clearInterval(drip))
    },
    attempt: { http_status: null, error: 'timeout' },
  },
  {
    name: 'resets the connection',
    behave: (request) => void request.socket.resetAndDestroy(),
    attempt: { http_status: null, error: 'connection_reset' },
  },
  {
    name: 'redirects',
    behave: answerWith(302, { location: 'http://127.0.0.1/' }),
    attempt: { http_status: 302, error: null },
  },
  {
    name: 'is broken',
    behave: answerWith(500, {}, 'Oh\0no'),
    attempt: { http_status: 500, answer: 'Oh\ufffdno' },
  },
  { name: 'does not know us', behave: answerWith(404), attempt: { http_status: 404 } },
]

for (const { name, behave, attempt } of ways) {
  test(`a receiver that ${name} is retried after five seconds`, async () => {
    const receiver = await openReceiver(behave)
    const ipn = await afterAttempts(await paid(receiver), 1)
    assert.equal(ipn.status, 'waiting')
    for (const [key, value] of Object.entries(attempt))
      assert.equal(ipn.attempts[0]?.[key as keyof Attempt], value)
    assert.equal(untilNext(ipn), 5_000)
    await receiver.close()
  })
}

test('a 2xx counts whatever follows: 10 MB, or a body that never ends', async () => {
  const big = await openReceiver(answerWith(200, {}, 'y'.repeat(10_000_000)))
  const endless = await openReceiver((_, response) => void response.writeHead(204 + 2).write('partial'))
  const [first, second] = [await paid(big), await paid(endless)]
  const noted = [await afterAttempts(first, 1), await afterAttempts(second, 1)]
  assert.deepEqual(
    noted.map(({ status }) => status),
    ['delivered', 'delivered'],
  )
  assert.equal(noted[0]?.attempts[0]?.answer, 'y'.repeat(1024))
  assert.equal(noted[1]?.attempts[0]?.answer, 'partial')
  await Promise.all([big.close(), endless.close()])
})

test('bad TLS and a closed port are failures with their own names', async () => {
  const receiver = await openReceiver()
  const plain = receiver.url.replace('http:', 'https:')
  assert.equal((await afterAttempts(await paid(plain), 1)).attempts[0]?.error, 'tls_failed')
  await receiver.close()
  assert.equal((await afterAttempts(await paid(receiver.url), 1)).attempts[0]?.error, 'connection_failed')
})

test('410 ends a delivery', async () => {
  const receiver = await openReceiver(answerWith(410))
  const ipn = await afterAttempts(await paid(receiver), 1)
  assert.deepEqual([ipn.status, ipn.next_try_at], ['failed', null])
  await receiver.close()
})

test('429 and 503 are left alone for as long as they ask, others are not', async () => {
  for (const [status, expected] of [
    [429, 7_200_000],
    [503, 7_200_000],
    [500, 5_000],
  ] as const) {
    const receiver = await openReceiver(answerWith(status, { 'retry-after': '7200' }))
    assert.equal(untilNext(await afterAttempts(await paid(receiver), 1)), expected)
    await receiver.close()
  }
})

test('the full schedule is ten attempts with the same bytes and id, fresh timestamps, then resend by hand', async () => {
  let status = 500
  const receiver = await openReceiver((_, response) => void response.writeHead(status).end())
  const payment = await paid(receiver)
  const pauses = [5_000, 5 * minutes, 30 * minutes, ...[2, 5, 10, 14, 20, 24].map((count) => count * hours)]
  for (const [index, pause] of pauses.entries()) {
    const ipn = await afterAttempts(payment, index + 1)
    assert.equal(untilNext(ipn), pause)
    clock.jump(pause - 1)
    await house.app.deliverer.look()
    assert.equal(receiver.received.length, index + 1, 'not before its time')
    clock.jump(1)
    await house.app.deliverer.look()
    await receiver.first(index + 2)
  }
  const ended = await afterAttempts(payment, 10)
  assert.deepEqual([ended.status, ended.next_try_at], ['failed', null])
  clock.jump(48 * hours)
  await house.app.deliverer.look()
  assert.equal(receiver.received.length, 10)

  const secrets = await webhookSecrets(house, { merchantId: house.merchantId, mode: 'test' })
  for (const { headers, body } of receiver.received) {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const expected = signatureHeaders(
      { id: ended.id, body, at },
      secrets.map(({ secret }) => secret),
    )
    for (const [name, value] of Object.entries(expected)) assert.equal(headers[name], value)
  }
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size, 10)

  status = 200
  const again = await post(
    `${house.url}/api/transaction/${payment.txRef}/notifications/${ended.id}/resend`,
    {},
    house.secretKey,
  )
  assert.equal(again.status, 200)
  assert.equal((await afterAttempts(payment, 11)).status, 'delivered')
  await receiver.close()
})

/** A payment a day that nobody answers well. */
async function failFor(receiver: Receiver, hoursOfFailing: number): Promise<void> {
  for (let passed = 0; passed <= hoursOfFailing; passed += 24) {
    if (passed > 0) clock.jump(24 * hours)
    await afterAttempts(await paid(receiver), 1)
  }
}

test('neither a week without calls nor a receiver that wants no more counts as failing', async () => {
  let status = 500
  const receiver = await openReceiver((_, response) => void response.writeHead(status).end())
  await afterAttempts(await paid(receiver), 1)
  // Its tries of these days would be failures: this one is ended by hand.
  await house.db.query(
    sql`update deliveries set state = 'failed', next_try_at = null where state = 'waiting'`,
  )
  clock.jump(7 * 24 * hours)
  assert.equal((await afterAttempts(await paid(receiver), 1)).status, 'waiting')
  await receiver.close()

  const done = await openReceiver((_, response) => void response.writeHead(status).end())
  status = 410
  await failFor(done, 144)
  status = 500
  assert.equal((await afterAttempts(await paid(done), 1)).status, 'waiting')
  await done.close()
})

test('after 120 hours of failures a URL is paused, the merchant is told, and resume sends what waits', async () => {
  let status = 500
  const receiver = await openReceiver((_, response) => void response.writeHead(status).end())
  await failFor(receiver, 96)
  clock.jump(23 * hours)
  const second = await paid(receiver)
  assert.equal((await afterAttempts(second, 1)).status, 'waiting')
  clock.jump(2 * hours)
  const third = await paid(receiver)
  await waitUntil('all wait for a resume', async () => {
    const states = await Promise.all([second, third].map(async (payment) => (await ipnOf(payment)).status))
    return states.every((state) => state === 'paused')
  })
  const fourth = await paid(receiver)
  assert.equal((await ipnOf(fourth)).status, 'paused')
  const already = receiver.received.length
  clock.jump(1 * hours)
  await house.app.deliverer.look()

  const owner = { merchantId: house.merchantId, mode: 'test' } as const
  const subjectOfMail = `Notifications to ${new URL(receiver.url).host} are paused`
  const told = async () =>
    (await house.app.mailbox.list(owner)).filter(({ subject }) => subject === subjectOfMail)
  await waitUntil('the merchant is told', async () => (await told()).length > 0)
  const [mail] = await told()
  assert.equal(mail?.event, 'receiver.paused')
  assert.ok(
    (await house.app.mailbox.find({ ...owner, id: mail?.id ?? '' }))?.text.includes(
      'florin notifications resume',
    ),
  )
  assert.equal((await told()).length, 1)
  assert.equal(receiver.received.length, already)

  status = 200
  const [{ waiting } = { waiting: 0 }] = await house.db.query<{ waiting: number }>(sql`
    select count(*)::integer as waiting from deliveries where state = 'paused'`)
  assert.ok(waiting >= 3)
  const resumed = await post(
    `${house.url}/api/notifications/resume`,
    { origin: receiver.url },
    house.secretKey,
  )
  assert.deepEqual(resumed.json.data, { origin: receiver.url, deliveries: waiting })
  for (const payment of [second, third, fourth]) {
    await waitUntil('it arrives', async () => (await ipnOf(payment)).status === 'delivered')
  }
  const again = await post(`${house.url}/api/notifications/resume`, { origin: receiver.url }, house.secretKey)
  assert.equal(again.status, 404)
  const acts = await house.db.query(sql`
    select actor_kind, action from audit_log where subject = ${receiver.url} order by at, id`)
  assert.deepEqual(acts, [
    { actor_kind: 'system', action: 'receiver.paused' },
    { actor_kind: 'key', action: 'receiver.resumed' },
  ])
  await receiver.close()
})

test('a success in between starts the 120 hours again', async () => {
  let status = 500
  const receiver = await openReceiver((_, response) => void response.writeHead(status).end())
  await failFor(receiver, 96)
  status = 200
  const good = await paid(receiver)
  await waitUntil('it arrives', async () => (await ipnOf(good)).status === 'delivered')
  status = 500
  clock.jump(30 * hours)
  const later = await afterAttempts(await paid(receiver), 1)
  assert.equal(later.status, 'waiting')
  await receiver.close()
})
