import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { signatureHeaders } from '../../src/core/notifications/ipn/signature.ts'
import { webhookSecrets } from '../../src/core/notifications/ipn/webhook-secrets.ts'
import { freePort } from '../support/free-port.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { cards } from '../support/till.ts'
import { actionsOf, signedIn, type Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// The first five minutes of somebody who has just started Florin in a container: it listens on every address, so that no
// stranger may have it call this machine, and yet its own receiver gets the notification.

let house: House
let worker: { stop(): Promise<void> }
let merchantId: number
let owner: Visitor
let home: string

before(async () => {
  const port = String(await freePort())
  house = await openHouse({
    settings: {
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      HOST: '0.0.0.0',
      MISS_LIMIT_PER_SECOND: '1',
    },
  })
  worker = house.app.startWorker()
  merchantId = await createMerchant(house.db, { name: 'New shop' })
  home = `/dashboard/${merchantId}/test`
  owner = await signedIn(house, { role: 'owner', merchantId })
})
after(async () => {
  await worker.stop()
  await house.close()
})

/** Which of the four are ticked. */
async function ticked(visitor = owner): Promise<string> {
  const { status, text } = await visitor.get(`${home}/start`)
  assert.equal(status, 200)
  return [...text.matchAll(/<li class="(done)?/g)]
    .slice(-4)
    .map(([, done]) => (done ? 'x' : '.'))
    .join('')
}

const numberOn = (text: string): string => /\/payment\/\d{8}(\d{24})/.exec(text)?.[1] ?? 'none'

async function pay(): Promise<void> {
  const { text } = await owner.get(`${home}/start`)
  const paid = await house.app.payer.pay({ merchantId, number: numberOn(text), mode: 'test' }, cards.good)
  assert.equal(paid.kind, 'paid')
}

test('signing in to a shop without payments leads to the first steps, with nothing ticked', async () => {
  assert.equal((await owner.get('/dashboard')).to, `${home}/start`)
  assert.equal(await ticked(), '....')
  assert.match(owner.last?.text ?? '', /data-again="first-steps"/)
  assert.match((await owner.get(home)).text, new RegExp(`href="${home}/start">Start<`))
})

test('each step is ticked once it has happened', async () => {
  const made = await owner.fill(`${home}/start`, {}, `${home}/start/do/create`)
  assert.deepEqual([made.status, made.to], [303, `${home}/start`])
  assert.equal(await ticked(), 'x...')
  assert.ok((await actionsOf(house, merchantId)).includes('payment.test_created'))
  const { text } = await owner.get(`${home}/start`)
  assert.match(text, /value="4242 4242 4242 4242"/)
  assert.match(text, new RegExp(`href="${house.url}/payment/\\d{32}">Open the checkout`))

  await pay()
  await waitUntil('the notification has arrived', async () => (await ticked()) === 'xxx.')
  const seen = owner.last?.text.replaceAll('&quot;', '"') ?? ''
  assert.match(seen, /payment\.success/)
  assert.match(seen, /received, response 200/)
  assert.match(seen, /"tx_ref": "first-steps-/, 'with what was sent')

  const shown = await owner.fill(`${home}/start`, {}, `${home}/start/do/key`)
  assert.equal(shown.status, 200)
  const key = /value="(\w+)" aria-label="Key"/.exec(shown.text)?.[1]
  assert.ok(key !== undefined, 'the key is there to copy')
  assert.ok(shown.text.split(key).length > 6, 'and stands in the code of every language')
  assert.doesNotMatch(shown.text, /data-again/, 'nothing takes the key away before it is copied')
  assert.equal(await ticked(), 'xxx.')
  assert.ok(!owner.last?.text.includes(key), 'it is shown once')
  assert.match((await owner.get(home)).text, /class="card to-start"/)
  const asked = await call(`${house.url}/api/transactions`, { key })
  assert.equal(asked.status, 200)
  // A server writes it within half a minute.
  await house.db.query(sql`update keys set last_used_at = now() where merchant_id = ${merchantId}`)
  assert.equal(await ticked(), 'xxxx')
  assert.doesNotMatch((await owner.get(home)).text, /class="card to-start"/, 'it is done, and led to no more')
})

test('a payment by the shop’s own program counts, and one without a receiver says why nothing arrives', async () => {
  const other = await createMerchant(house.db, { name: 'With a program' })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'test', name: 'program' })
  const visitor = await signedIn(house, { role: 'owner', merchantId: other })
  const body = { tx_ref: 'one', amount: '5', currency: 'GBP', email: 'a@example.com', first_name: 'Ada' }
  const made = await post(`${house.url}/api/payment`, body, key)
  assert.equal(made.status, 201, made.text)
  const paid = await house.app.payer.pay(
    { merchantId: other, number: numberOn(made.text), mode: 'test' },
    cards.good,
  )
  assert.equal(paid.kind, 'paid')
  const { text } = await visitor.get(`/dashboard/${other}/test/start`)
  assert.equal(text.match(/<li class="done/g)?.length, 2)
  assert.match(text, /This payment has no callback_url/)
})

test('the receiver accepts only what Florin signed for this merchant in test mode', async () => {
  const address = `${house.url}/test-receiver/${merchantId}`
  const body = '{"event":"payment.success"}'
  const secretOf = async (mode: 'test' | 'live', id = merchantId): Promise<string> =>
    (await webhookSecrets(house, { merchantId: id, mode }))[0]?.secret ?? ''
  const headersFor = (secret: string, at = new Date()) =>
    signatureHeaders({ id: 'evt_1', body, at }, [secret])
  const right = headersFor(await secretOf('test'))
  assert.equal((await post(address, body, undefined, right)).status, 200)
  for (const [why, headers, sent = body] of [
    ['nothing', {}],
    ['the secret of live mode', headersFor(await secretOf('live'))],
    ['the secret of another merchant', headersFor(await secretOf('test', house.merchantId))],
    ['ten minutes ago', headersFor(await secretOf('test'), new Date(Date.now() - 600_000))],
    ['another body', right, '{"event":"payment.refunded"}'],
  ] as const) {
    const answer = await post(address, sent, undefined, headers)
    assert.ok([401, 429].includes(answer.status), `${why}: ${answer.status}`)
  }
  assert.equal((await post(address, body, undefined, right)).status, 200, 'a forger locks nobody out')
  assert.equal((await call(address)).status, 405)
  assert.equal((await post(`${house.url}/test-receiver/1`, body, undefined, right)).status, 404)
  const foreign = await createMerchant(house.db, { name: 'Never told' })
  assert.equal(
    (await post(`${house.url}/test-receiver/${foreign}`, body, undefined, right)).status >= 400,
    true,
  )
})

test('test mode can’t call other addresses on this machine, not even next to the built-in receiver', async () => {
  const { key } = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'sloppy' })
  for (const [path, isReached] of [
    [`/test-receiver/${merchantId}`, true],
    [`/test-receiver/${merchantId}/../../healthz`, false],
    ['/healthz', false],
  ] as const) {
    const sent = await post(`${house.url}/api/notifications/test`, { callback_url: house.url + path }, key)
    const { delivered, error } = sent.json.data as { delivered: boolean; error: string | null }
    assert.deepEqual([delivered, error], isReached ? [true, null] : [false, 'address_refused'], path)
  }
})

test('live mode has no first steps, and a viewer only looks', async () => {
  const live = home.replace('/test', '/live')
  assert.equal((await owner.get(`${live}/start`)).to, live)
  await owner.get(`${home}/start`)
  assert.equal((await owner.post(`${live}/start/do/create`)).status, 404)
  await owner.get(`${home}/start`)
  assert.equal((await owner.post(`${live}/start/do/key`)).status, 404)
  const viewer = await signedIn(house, { role: 'viewer', merchantId })
  const { text } = await viewer.get(`${home}/start`)
  assert.match(text, /Your role is view-only/)
  assert.doesNotMatch(text, /start\/do\/(create|key)/)
})

test('the first steps can be dismissed and found again', async () => {
  const fresh = await createMerchant(house.db, { name: 'Impatient' })
  const start = `/dashboard/${fresh}/test/start`
  const visitor = await signedIn(house, { role: 'owner', merchantId: fresh })
  assert.equal((await visitor.get('/dashboard')).to, start)
  const gone = await visitor.fill(start, {}, `${start}/do/dismiss`)
  assert.equal(gone.to, `/dashboard/${fresh}/test`)
  assert.equal((await visitor.get('/dashboard')).to, `/dashboard/${fresh}/test`)
  assert.match((await visitor.get(`/dashboard/${fresh}/test/team`)).text, new RegExp(`href="${start}"`))

  const colleague = await signedIn(house, { role: 'owner', merchantId: fresh })
  await colleague.fill(start, {}, `${start}/do/create`)
  const toStart = /class="card to-start"/
  assert.match((await colleague.get(`/dashboard/${fresh}/test`)).text, toStart)
  assert.doesNotMatch((await visitor.get(`/dashboard/${fresh}/test`)).text, toStart)
})
