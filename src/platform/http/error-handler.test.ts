import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { Refusal } from '../errors/refusals.ts'
import { asRefusal, maybeDone, nothingDone } from './error-handler.ts'

const secret = 'password of florin_owner is hunter2'

function asked(method: string, isOneCommit?: boolean): Parameters<typeof asRefusal>[1] {
  return { method, routeOptions: { config: isOneCommit === undefined ? {} : { isOneCommit } } }
}
const read = asked('GET')

test('an unexpected error answers 500 with our own message; the error itself is only logged', async (t) => {
  const { server, lines } = makeBareServer(t)
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
      message: 'Something went wrong on our side: report the x-request-id of this answer',
      data: null,
      code: 'internal_error',
    })
    assert.doesNotMatch(JSON.stringify(answer.headers), /hunter2|florin_owner/)
  }
  const logged = lines.filter((line) => line.includes('florin_owner'))
  assert.equal(logged.length, errors.length, 'whoever runs Florin can read what it was')
})

test('a refusal is sent as it is; ours is logged as an error, an outage as a warning', async (t) => {
  const { server, lines } = makeBareServer(t)
  const cases = [
    [new Refusal('internal_error'), 500, undefined, 'error'],
    [new DatabaseUnavailable(false), 503, '2', 'warn'],
    [new DatabaseUnavailable(true), 503, '2', 'warn'],
    [new Refusal('unavailable', 'Busy', { headers: { 'retry-after': '7' } }), 503, '7', 'warn'],
    [new Refusal('headers_too_large'), 431, undefined, undefined],
    [new Refusal('rate_limited', 'Wait', { headers: { 'retry-after': '9' } }), 429, '9', undefined],
    [new Refusal('tx_ref_taken'), 409, undefined, undefined],
  ] as const
  for (const [index, [error]] of cases.entries()) {
    server.get(`/${index}`, async () => Promise.reject(error))
  }
  for (const [index, [error, status, retryAfter, level]] of cases.entries()) {
    const before = lines.length
    const answer = await server.inject(`/${index}`)
    const { code, message } = asRefusal(error, read)
    assert.equal(answer.statusCode, status)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['retry-after'], retryAfter, code)
    assert.deepEqual(answer.json(), { status: 'failed', message, data: null, code })
    const told = lines
      .slice(before)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg !== undefined)
    assert.deepEqual(
      told.map(({ level: at, msg, request_id }) => [at, msg, request_id]),
      level === undefined ? [] : [[level, message, answer.headers['x-request-id']]],
      code,
    )
  }
})

test('the framework’s refusals become ours', () => {
  const notJson = 'The request body is not valid JSON'
  const address = 'The request URL is not valid percent-encoding'
  for (const [error, code, message] of [
    [
      { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' },
      'unsupported_media_type',
      'The request body must be JSON: send it with Content-Type: application/json',
    ],
    [
      { code: 'FST_ERR_CTP_BODY_TOO_LARGE' },
      'body_too_large',
      'The request body is larger than 64 KiB: send less',
    ],
    [{ code: 'FST_ERR_CTP_EMPTY_JSON_BODY' }, 'malformed_body', notJson],
    [{ code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' }, 'malformed_body', notJson],
    [{ code: 'FST_ERR_CTP_INVALID_JSON_BODY' }, 'malformed_body', notJson],
    [{ code: 'FST_ERR_BAD_URL' }, 'validation_failed', address],
    [{ code: 'FST_ERR_ROUTE_MISSING_HANDLER' }, 'not_found', 'Nothing exists at this URL: see /docs'],
    [{ code: 'FST_ERR_MAX_PARAM_LENGTH' }, 'uri_too_long', 'The request URL is too long'],
    [{ code: 'ECONNRESET', statusCode: 400 }, 'malformed_body', notJson],
    [
      { code: 'ECONNRESET', statusCode: 401 },
      'internal_error',
      'Something went wrong on our side: report the x-request-id of this answer',
    ],
  ] as const) {
    const refusal = asRefusal(Object.assign(new Error(secret), error), read)
    assert.deepEqual([refusal.code, refusal.message], [code, message], error.code)
  }
})

test('a 503 says that nothing was done only if the one commit was never sent, and reads never mention saving', () => {
  for (const [request, outcomeUnknown, message] of [
    [asked('POST', true), false, nothingDone],
    [asked('POST', true), true, maybeDone],
    [asked('POST'), false, maybeDone],
    [asked('POST'), true, maybeDone],
    [asked('DELETE', true), false, nothingDone],
    [asked('GET'), false, 'Florin is busy or its database is unavailable; try again shortly'],
    [asked('GET'), true, 'Florin is busy or its database is unavailable; try again shortly'],
    [asked('HEAD'), true, 'Florin is busy or its database is unavailable; try again shortly'],
  ] as const) {
    const error = new DatabaseUnavailable(outcomeUnknown, { cause: new Error(secret) })
    assert.equal(asRefusal(error, request).message, message, JSON.stringify([request, outcomeUnknown]))
  }
})

test('no error’s own message reaches the response', () => {
  const errors = [400, 401, 404, 500, 503].map((statusCode) =>
    Object.assign(new Error(secret), { statusCode }),
  )
  const causes = [new DatabaseUnavailable(true, { cause: new Error(secret) }), new DatabaseUnavailable(false)]
  for (const error of [...errors, ...causes]) assert.doesNotMatch(asRefusal(error, read).message, /hunter2/)
})
