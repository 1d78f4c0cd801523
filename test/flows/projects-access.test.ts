import assert from 'node:assert/strict'
import { request as send, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { makeStillClock } from '../support/clock.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { body, listUrl, projectUrl } from '../support/project-calls.ts'

let house: House
let list: string

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '100000', MISS_LIMIT_PER_SECOND: '1000' } })
  list = listUrl(house)
})
after(() => house.close())

test('only an API key opens projects, and the answer names the right kind', async () => {
  const refusal = (message: string): object => ({
    status: 'failed',
    message,
    data: null,
    code: 'unauthorized',
  })
  const cases: [string | undefined, string][] = [
    [undefined, 'Authorization is required'],
    [house.secretKey, 'Invalid API key: this is a secret key (sk_…), use an API key (ak_…)'],
    [house.liveKey, 'Invalid API key: this is a secret key (sk_…), use an API key (ak_…)'],
    [`${house.apiKey.slice(0, -1)}!`, 'Invalid API key'],
  ]
  for (const [key, message] of cases) {
    for (const [method, url] of [
      ['GET', list],
      ['POST', list],
      ['GET', projectUrl(house, 'a')],
      ['PATCH', projectUrl(house, 'a')],
      ['DELETE', projectUrl(house, 'a')],
    ] as const) {
      const answer = await call(url, { method, ...(key !== undefined && { key }) })
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'])
      assert.deepEqual(body(answer), refusal(message))
    }
  }
  const groupA = await call(`${house.url}/api/transaction/a`, { key: house.apiKey })
  assert.deepEqual(
    [groupA.status, body(groupA)],
    [401, refusal('Invalid secret key: this is an API key (ak_…), use a secret key (sk_…)')],
  )
})

test('a key that calls too often is rate limited', async () => {
  const strict = await openHouse({
    settings: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' },
    world: { now: makeStillClock().now },
  })
  try {
    const url = `${strict.url}/api/v1/projects`
    const answers = await Promise.all([1, 2].map(() => call(url, { key: strict.apiKey })))
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200, 429]))
  } finally {
    await strict.close()
  }
})

test('with its own host configured, the projects API answers only there', async () => {
  const settings = { SEO_URL: 'https://projects.example.com', PROJECTS_ON_SEO_HOST_ONLY: 'on' }
  const bound = await openHouse({ settings })
  try {
    const ask = async (host: string): Promise<[number | undefined, unknown]> => {
      const headers = { host, authorization: `Bearer ${bound.apiKey}` }
      const asking = send(`${bound.url}/api/v1/projects`, { headers }).end()
      const answer = await new Promise<IncomingMessage>((resolve) => asking.once('response', resolve))
      return [answer.statusCode, JSON.parse(await text(answer))]
    }
    const nothing = {
      status: 'failed',
      message: 'Nothing exists at this URL: see /docs',
      data: null,
      code: 'not_found',
    }
    for (const host of [
      '127.0.0.1:3000',
      'example.com',
      'projects.example.com:8443',
      'projects.example.com.evil',
      '@',
    ]) {
      assert.deepEqual(await ask(host), [404, nothing], host)
    }
    for (const host of ['projects.example.com', 'Projects.Example.COM', 'projects.example.com:443']) {
      const [status, answer] = await ask(host)
      assert.equal(status, 200)
      const { meta } = answer as { meta: { path: string } }
      assert.equal(meta.path, 'https://projects.example.com/api/v1/projects')
    }
  } finally {
    await bound.close()
  }
})
