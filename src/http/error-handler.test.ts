import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { asRefusal } from './error-handler.ts'
import { makeLog } from './log.ts'
import { makeMetrics } from './metrics.ts'
import { makeServer } from './server.ts'

const secret = 'password of florin_owner is hunter2'

test("an error that nobody expected answers 500 in our own words; the error's are in the log", async (t) => {
  const lines: string[] = []
  const server = makeServer({
    log: makeLog('info', { write: (line: string) => void lines.push(line) }),
    metrics: makeMetrics(),
    baseUrl: 'http://127.0.0.1:3000',
    requestTimeoutMs: 10_000,
    headerTimeoutMs: 10_000,
    idleTimeoutMs: 72_000,
    connections: { all: 100, perAddress: 100 },
    trustedProxies: [],
  })
  t.after(() => server.close())
  const errors: readonly unknown[] = [
    new Error(secret),
    Object.assign(new Error(secret), { statusCode: 500 }),
    Object.assign(new Error(secret), { statusCode: 418, code: 'ECONNRESET' }),
    Object.assign(new Error(secret), { code: '23505', detail: secret }),
  ]
  for (const [index, error] of errors.entries()) {
    server.get(`/broken/${index}`, async () => Promise.reject(error as Error))
  }
  for (const index of errors.keys()) {
    const answer = await server.inject({ url: `/broken/${index}` })
    assert.equal(answer.statusCode, 500)
    assert.deepEqual(answer.json(), {
      status: 'failed',
      message: 'Something went wrong on our side',
      data: null,
      code: 'internal_error',
    })
    assert.doesNotMatch(JSON.stringify(answer.headers), /hunter2|florin_owner/)
  }
  const logged = lines.filter((line) => line.includes('florin_owner'))
  assert.equal(logged.length, errors.length, 'whoever runs Florin can read what it was')
})

test('no error becomes an answer with its own words', () => {
  const errors = [400, 401, 404, 500, 503].map((statusCode) =>
    Object.assign(new Error(secret), { statusCode }),
  )
  const causes = [new DatabaseUnavailable(true, { cause: new Error(secret) }), new DatabaseUnavailable(false)]
  for (const error of [...errors, ...causes]) assert.doesNotMatch(asRefusal(error).message, /hunter2/)
})
