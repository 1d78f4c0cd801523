import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { waitUntil } from '../support/wait-until.ts'

// The day after an outage: what failed, why, and again please.

let house: House
let worker: { stop(): Promise<void> }
let receiver: Receiver
let settings: Record<string, string>
let status = 410

before(async () => {
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({ settings: { PORT: port, BASE_URL: baseUrl } })
  worker = house.app.startWorker()
  settings = { BASE_URL: baseUrl, DATABASE_URL: house.databaseUrl, FLORIN_KEY: house.secretKey }
  receiver = await openReceiver((_, response) => void response.writeHead(status).end('no\u001b[2J more'))
})
after(async () => {
  await worker.stop()
  await receiver.close()
  await house.close()
})

const florin = async (...args: string[]): Promise<Ended> => runFlorin(args, settings)
type Listed = { id: string; status: string; http_status: number | null; kind: string }[]
const list = async (...args: string[]): Promise<Listed> =>
  JSON.parse((await florin('notifications', 'list', '--json', ...args)).out) as Listed

test('failed notifications are listed, shown with their attempts, and resent by a filter that counts them', async () => {
  for (const txRef of ['one', 'two', 'three']) {
    const request = paymentRequest({ tx_ref: txRef, callback_url: receiver.url })
    assert.equal((await post(`${house.url}/api/payment`, request, house.secretKey)).status, 201)
    assert.equal((await florin('payments', 'cancel', txRef)).code, 0)
  }
  await waitUntil('all have failed', async () => (await list('--status', 'failed')).length === 3)
  const failed = await list('--status', 'failed', '--since', '1h', '--origin', receiver.url)
  assert.deepEqual(
    failed.map((one) => [one.kind, one.http_status]),
    Array.from({ length: 3 }, () => ['ipn', 410]),
  )
  assert.deepEqual(await list('--status', 'failed', '--until', '1h'), [])
  assert.deepEqual(await list('--status', 'failed', '--mode', 'live'), [])
  assert.deepEqual(await list('--event', 'payment.success'), [])
  const lines = (await florin('notifications', 'list', '--kind', 'ipn', '--limit', '2')).out
    .trimEnd()
    .split('\n')
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /^evt_\S+  \S+Z  payment\.cancelled  failed  410  http/)

  const shown = await florin('notifications', 'show', failed[0]?.id ?? '')
  assert.match(shown.out, /^id +evt_/)
  assert.match(
    shown.out,
    /\n1 +\S+Z +\d+ ms  410  no\\u001b\[2J more\n$/,
    'an answer can not clear the screen',
  )

  const unasked = await florin('notifications', 'resend', '--status', 'failed')
  assert.equal(unasked.code, 64)
  const question = `Resend 3 notifications in test mode to ${receiver.url} (3)? Add --yes to skip this question`
  assert.ok(unasked.err.startsWith(`${question} (asked the database `), unasked.err)
  status = 200
  const resent = await florin('notifications', 'resend', '--status', 'failed', '--since', '1h', '--yes')
  assert.deepEqual(resent, { code: 0, out: 'Resending 3 notifications now\n', err: '' })
  await waitUntil('all arrived', async () => (await list('--status', 'delivered')).length === 3)
  const again = await florin('notifications', 'resend', '--status', 'failed', '--yes', '--json')
  assert.deepEqual(JSON.parse(again.out), { resent: 0 })

  const already = receiver.received.length
  const [first, second] = failed.map(({ id }) => id)
  assert.equal((await florin('notifications', 'resend', first ?? '', second ?? '')).code, 0)
  await receiver.first(already + 2)
})

test('paused receivers are resumed one by one or all at once', async () => {
  const origins = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com']
  await house.db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at, paused_at)
    select ${house.merchantId}, 'test', origin, now(), now(), now() from unnest(${origins}::text[]) as origin`)
  const paused = await florin('notifications', 'paused')
  assert.match(paused.out, /^https:\/\/a\.example\.com  \S+Z  \S+Z\n(.+\n){2}$/)
  const one = await florin('notifications', 'resume', '--origin', 'https://b.example.com/ipn')
  assert.deepEqual(one, {
    code: 0,
    out: 'Sending 0 waiting deliveries to https://b.example.com now\n',
    err: '',
  })
  const again = await florin('notifications', 'resume', '--origin', 'https://b.example.com')
  assert.equal(again.code, 69)
  assert.match(again.err, /^https:\/\/b\.example\.com is not paused \(asked the database \S+ at \S+\)\n$/)
  const unasked = await florin('notifications', 'resume', '--all')
  assert.equal(unasked.code, 64)
  assert.match(unasked.err, /^Resume 2 receivers of test mode: https:\/\/a\.example\.com, .+\? Add --yes/)
  const all = await florin('notifications', 'resume', '--all', '--yes', '--json')
  assert.deepEqual(JSON.parse(all.out), [
    { origin: 'https://a.example.com', deliveries: 0 },
    { origin: 'https://c.example.com', deliveries: 0 },
  ])
  assert.equal((await florin('notifications', 'paused')).out, '')
  const acts = await house.db.query<{ subject: string }>(sql`
    select subject from audit_log where action = 'receiver.resumed' and actor_kind = 'command_line' order by subject`)
  assert.deepEqual(
    acts.map(({ subject }) => subject),
    origins,
  )
})

test('mistakes are one line that says what to do', async () => {
  const asked: [string[], RegExp][] = [
    [[], /^Name a subcommand: florin notifications list, show, resend, paused or resume$/],
    [['resend'], /^Give an ID, or a filter such as --status failed --since 24h$/],
    [['resend', 'evt_1', '--status', 'failed'], /^Give IDs or a filter, not both$/],
    [['resend', '--status', 'waiting'], /^--status must be one of failed, delivered, but is "waiting"$/],
    [['list', '--status', 'lost'], /^--status must be one of waiting, delivered, failed, .+, but is "lost"$/],
    [
      ['list', '--since', 'yesterday'],
      /^--since must be a time such as .+ 30min, 24h, 7d; but is "yesterday"$/,
    ],
    [['list', '--limit', '0'], /^--limit must be 1 to 1000, but is "0"$/],
    [['list', '--mode', 'both'], /^--mode must be one of test, live, but is "both"$/],
    [['show'], /^Name one: florin notifications show ID/],
    [['resume'], /^--origin is required/],
    [['resume', '--origin', 'foo'], /^--origin must be a URL such as .+, but is "foo"$/],
    [['resume', '--all', '--origin', 'https://a.example.com'], /^Give --origin or --all, not both$/],
  ]
  for (const [args, line] of asked) {
    const { code, out, err } = await florin('notifications', ...args)
    assert.deepEqual([code, out], [64, ''], args.join(' '))
    assert.match(err.trimEnd(), line)
  }
  const unknown = await florin('notifications', 'resend', 'evt_none')
  assert.equal(unknown.code, 69)
  assert.match(unknown.err, /^Notification evt_none not found \(asked the database \S+ at \S+\)\n$/)
})
