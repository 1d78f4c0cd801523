import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { fakeSecret, makeFakeNetwork, signedCallback } from '../../../test/support/fake-network.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import type { Hint } from '../networks/hosted.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import type { Listener } from '../../platform/database/listen.ts'
import { listenPatiently } from '../../../test/support/listen-patiently.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { makeLog } from '../../platform/http/log.ts'
import { makeMetrics } from '../../platform/http/metrics.ts'
import { makeRateLimit } from '../../platform/http/rate-limit.ts'
import { makeServer, type Server } from '../../platform/http/server.ts'
import { addAccount, removeAccount } from '../merchants/accounts/change-accounts.ts'
import { makeStoredAccounts, type Owner, type StoredAccounts } from '../merchants/accounts/stored-accounts.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { drawSecretsKey, readSecretsKey } from '../../platform/secrets/secrets-key.ts'
import { makeSecrets } from '../../platform/secrets/secrets.ts'
import { addCallbacks, callbackLimitBytes } from './routes.ts'

class CountingDatabase extends Database {
  statements = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    this.statements += 1
    return super.query<R>(statement)
  }
}

const secrets = makeSecrets(readSecretsKey(drawSecretsKey()) ?? assert.fail())
const burst = 50
let home: TestDatabase
let db: CountingDatabase
let listener: Listener
let accounts: StoredAccounts
let server: Server
let url: string
let merchantId: number
const clockMs = Date.now()
const metrics = makeMetrics()
const logged: string[] = []

before(async () => {
  home = await createTestDatabase()
  db = new CountingDatabase(home.url)
  listener = listenPatiently(home.url)
  accounts = makeStoredAccounts(db, listener, secrets, () => 0)
  const log = makeLog('info', { write: (line: string) => void logged.push(line) })
  server = makeServer({
    log,
    metrics,
    baseUrl: 'http://127.0.0.1',
    version: '0.0.1',
    requestTimeoutMs: 60_000,
    headerTimeoutMs: 60_000,
    idleTimeoutMs: 72_000,
    connections: { all: 1_000, perAddress: 1_000 },
    trustedProxies: ['127.0.0.1'],
  })
  addCallbacks(server, {
    db,
    accounts,
    connectors: [makeFakeNetwork()],
    forgedLimit: makeRateLimit({ perSecond: 1, burst }, () => 0),
    metrics,
    now: () => new Date(clockMs),
  })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  await connect(merchantId)
  await connect('installation')
})

after(async () => {
  await server.close()
  await listener.close()
  await db.close()
  await home.drop()
})

async function connect(owner: Owner, signingSecret = fakeSecret): Promise<string> {
  const credentials = { secretKey: 'good', signingSecret }
  const account = {
    connector: 'fake',
    credentials,
    label: 'Shop',
    sandbox: false,
    callbacks: 'set_up' as const,
  }
  const id = (await addAccount(db, secrets, owner, account)) ?? assert.fail()
  await waitUntil('it is known', async () =>
    (await accounts.behindCallback(owner, 'fake')).some((known) => known.id === id),
  )
  return id
}

type Sent = { body: string | Buffer; headers: Record<string, string> }

async function send(owner: number | string, { body, headers }: Sent, from = '198.51.100.1'): Promise<number> {
  const answer = await fetch(`${url}/callbacks/fake/${owner}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { ...headers, 'x-forwarded-for': from },
  })
  const text = await answer.text()
  if (answer.status === 400)
    assert.match(text, /"This callback is not for this account"/, 'says nothing of why')
  return answer.status
}

let events = 0
function hint(more: Partial<Hint> = {}): Hint {
  events += 1
  return { eventId: `evt_${events}`, about: 'order', reference: 'cs_1', ...more }
}

type Stored = {
  merchant_id: number
  event_id: string
  about: string
  number: string | null
  reference: string | null
}
async function storedOf(merchant: number): Promise<Stored[]> {
  return db.query<Stored>(sql`
    select merchant_id, event_id, about, number, reference from callback_events
    where merchant_id = ${merchant} order by event_id`)
}

test('a signed callback is stored once, however often and in whatever order it arrives', async () => {
  const merchant = await createMerchant(db, { name: 'Often' })
  await connect(merchant)
  const [first, second] = [
    hint({ paymentNumber: '1'.repeat(24), idempotencyKey: 'key' }),
    hint({ about: 'dispute' }),
  ]
  assert.equal(await send(merchant, signedCallback([second])), 200)
  assert.equal(await send(merchant, signedCallback([first, second, first])), 200)
  const many = Array.from({ length: 20 }, () => send(merchant, signedCallback([first, second])))
  assert.deepEqual(new Set(await Promise.all(many)), new Set([200]))
  assert.deepEqual(await storedOf(merchant), [
    {
      merchant_id: merchant,
      event_id: first.eventId,
      about: 'order',
      number: '1'.repeat(24),
      reference: 'cs_1',
    },
    { merchant_id: merchant, event_id: second.eventId, about: 'dispute', number: null, reference: 'cs_1' },
  ])
  assert.equal(await send(merchant, signedCallback([])), 200, 'about nothing that we know')
  const counts = await metrics.print()
  assert.match(counts, /florin_callbacks_total\{connector="fake",result="new"\} 2$/m)
  assert.match(counts, /florin_callbacks_total\{connector="fake",result="repeated"\} 42$/m)
})

test('unsigned, altered, expired or unaddressed callbacks are refused without a database query', async () => {
  const good = signedCallback([hint()])
  await waitUntil('it hears', () => listener.connected)
  await accounts.behindCallback(merchantId, 'fake')
  const asked = db.statements
  const forged: [number | string, Sent][] = [
    [merchantId, { ...good, headers: {} }],
    [merchantId, { ...good, body: `${good.body} ` }],
    [merchantId, signedCallback([hint()], { secret: 'another' })],
    [merchantId, signedCallback([hint()], { now: new Date(clockMs - 301_000) })],
    [merchantId, signedCallback([hint()], { now: new Date(clockMs + 301_000) })],
    [merchantId, { body: '', headers: {} }],
    [
      merchantId,
      { body: Buffer.from([0xff, 0xfe, 0]), headers: { ...good.headers, 'content-encoding': 'gzip' } },
    ],
    [99_999_999, good],
  ]
  for (const [owner, sent] of forged) assert.equal(await send(owner, sent), 400)
  assert.equal(db.statements, asked)
  assert.equal((await fetch(`${url}/callbacks/fake/12`, { method: 'POST' })).status, 404)
  assert.equal((await fetch(`${url}/callbacks/nobody/${merchantId}`, { method: 'POST' })).status, 404)
  assert.equal((await fetch(`${url}/callbacks/fake/${merchantId}`)).status, 405)
  assert.equal(db.statements, asked)
  assert.match(await metrics.print(), /florin_callbacks_total\{connector="fake",result="refused"\} [1-9]/)
})

test('a body that is too large is refused', async () => {
  const large = { ...signedCallback([]), body: 'x'.repeat(callbackLimitBytes + 1) }
  assert.equal(await send(merchantId, large), 413)
  const { body } = large
  const answer = await fetch(`${url}/callbacks/fake/${merchantId}`, { method: 'POST', body })
  assert.match(await answer.text(), /larger than 512 KiB/)
})

test('forged callbacks are rate limited, while signed ones from the same address get through', async () => {
  const from = '203.0.113.9'
  const statuses: number[] = []
  for (let sent = 0; sent <= burst; sent += 1)
    statuses.push(await send(merchantId, { body: '[]', headers: {} }, from))
  assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429])
  assert.equal(await send(merchantId, signedCallback([hint()]), from), 200)
})

test('an account of the installation finds the merchant by our metadata; a merchant’s own account never does', async () => {
  const other = await createMerchant(db, { name: 'Other' })
  const hints = [
    hint({ merchantId: other }),
    hint(),
    hint({ merchantId: -5 }),
    hint({ merchantId: Number.NaN }),
    hint({ merchantId: 1e300, about: 'refund' }),
  ]
  assert.equal(await send('installation', signedCallback(hints)), 200)
  assert.deepEqual(
    (await storedOf(other)).map(({ event_id }) => event_id),
    [hints[0]?.eventId],
  )
  assert.equal((await storedOf(0)).length, 4)
  const lying = hint({ merchantId: other })
  assert.equal(await send(merchantId, signedCallback([lying])), 200)
  assert.equal((await storedOf(other)).length, 1)
  assert.ok((await storedOf(merchantId)).some(({ event_id }) => event_id === lying.eventId))
})

test('ids that no database would accept are left out, and the rest is stored', async () => {
  const merchant = await createMerchant(db, { name: 'Odd' })
  await connect(merchant)
  const odd = [
    hint({ reference: 'nul\u0000byte', paymentNumber: 'x'.repeat(300), idempotencyKey: '' }),
    { eventId: `evt_\u0000`, about: 'order' as const },
    hint({ reference: 'fine' }),
  ]
  assert.equal(await send(merchant, signedCallback(odd)), 200)
  const stored = await storedOf(merchant)
  assert.equal(stored.length, 3)
  assert.ok(stored.some(({ event_id, reference }) => event_id.startsWith('sha256:') && reference === null))
})

test('callbacks for a removed account and for a second account are still accepted', async () => {
  const merchant = await createMerchant(db, { name: 'Mover' })
  const id = await connect(merchant, 'first')
  await removeAccount(db, { owner: merchant, id })
  await connect(merchant, 'second')
  assert.equal(await send(merchant, signedCallback([hint()], { secret: 'first' })), 200)
  assert.equal(await send(merchant, signedCallback([hint()], { secret: 'second' })), 200)
  assert.equal((await storedOf(merchant)).length, 2)
})

test('callback contents and secrets never appear in the log', async () => {
  await send(merchantId, signedCallback([hint({ reference: 'canary-reference' })]))
  const lines = logged.join('')
  assert.match(lines, /"route":"\/callbacks\/:connector\/:owner"/)
  for (const canary of [fakeSecret, 'canary-reference', 'fake-signature']) assert.ok(!lines.includes(canary))
})
