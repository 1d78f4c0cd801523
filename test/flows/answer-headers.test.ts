import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { programVersion } from '../../src/platform/settings/version.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// What answers say beside their body: what is left of a limit, that they are repeats, and which request they are for.

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

test('answers to a key state its remaining limit, even refusals', async () => {
  const strict = await openHouse({
    databaseUrl: house.databaseUrl,
    settings: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '2' },
    world: { now: () => new Date('2026-11-15T12:00:00Z') },
  })
  try {
    const ask = async (): Promise<Answer> =>
      call(`${strict.url}/api/transaction/unknown`, { key: strict.secretKey })
    const answers = [await ask(), await ask(), await ask()]
    assert.deepEqual(
      answers.map(({ status, headers }) => [
        status,
        headers.get('ratelimit-policy'),
        headers.get('ratelimit'),
      ]),
      [
        [404, '"requests";q=2;w=2', '"requests";r=1;t=1'],
        [404, '"requests";q=2;w=2', '"requests";r=0;t=2'],
        [429, '"requests";q=2;w=2', '"requests";r=0;t=2'],
      ],
    )
    const stranger = await call(`${strict.url}/api/transaction/unknown`)
    assert.equal(stranger.headers.get('ratelimit'), null)
  } finally {
    await strict.close()
  }
})

test('every answer names the version, refusals and pages too', async () => {
  for (const path of ['/healthz', '/readyz', '/api/transactions', '/nothing', '/docs', '/dashboard'])
    assert.equal((await call(house.url + path)).headers.get('florin-version'), programVersion(), path)
})

test('a repeated answer says so', async () => {
  const request = paymentRequest()
  const headers = { 'idempotency-key': 'first-call' }
  const send = async (): Promise<Answer> =>
    post(`${house.url}/api/payment`, request, house.secretKey, headers)
  const [first, again] = [await send(), await send()]
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(first.text, again.text)

  const form = new URLSearchParams(paymentRequest() as Record<string, string>).toString()
  const asForm = async (body: string): Promise<Answer> =>
    post(`${house.url}/api/payment`, body, house.secretKey, {
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': 'a form',
    })
  assert.equal((await asForm(form)).status, 201)
  assert.equal((await asForm(form)).headers.get('idempotency-replayed'), 'true')
  assert.equal((await asForm(`${form}&`)).status, 409, 'the body is compared byte for byte')
})

test('a trusted proxy’s valid request id is used, a stranger’s isn’t', async () => {
  const behind = await openHouse({
    databaseUrl: house.databaseUrl,
    settings: { TRUSTED_PROXIES: '10.0.0.0/8,127.0.0.1' },
  })
  try {
    const ask = async (at: House, id: string): Promise<string | null> =>
      (await call(`${at.url}/healthz`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    const given = '7b2e6d1c-5f0a-4a57-9a43-0d9f2f1f4a10'
    assert.equal(await ask(behind, given), given)
    assert.ok(behind.log().includes(`"request_id":"${given}"`))
    for (const odd of ['short', 'has"quotes"in-it', 'has spaces in it', 'x'.repeat(129)]) {
      assert.match((await ask(behind, odd)) ?? '', /^req_/, odd)
    }
    assert.match((await ask(house, given)) ?? '', /^req_/)
  } finally {
    await behind.close()
  }
})
