import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideInText, hideSecrets, logAnswer, makeLog, type Answered } from './log.ts'

function openLog(level = 'info') {
  const lines: string[] = []
  return { lines, log: makeLog(level, { write: (line: string) => void lines.push(line) }) }
}

const answered: Answered = {
  requestId: 'req_1',
  method: 'GET',
  route: '/api/transaction/:tx_ref',
  status: 200,
  ms: 12.345,
  address: '192.0.2.7',
  caller: undefined,
}

test('an answer’s log line says who asked for what and how long it took', () => {
  const { lines, log } = openLog()
  logAnswer(log, answered)
  logAnswer(log, { ...answered, caller: { keyId: 'key_1', merchantId: 12345678 } })
  const line = {
    level: 'info',
    request_id: 'req_1',
    method: 'GET',
    route: '/api/transaction/:tx_ref',
    status: 200,
    ms: 12.3,
    address: '192.0.2.7',
  }
  assert.deepEqual(
    lines.map((text) => {
      assert.match(text, /\}\n$/)
      const { time, ...rest } = JSON.parse(text) as Record<string, unknown>
      assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      return rest
    }),
    [line, { ...line, key_id: 'key_1', merchant: 12345678 }],
  )
})

test('a client address is logged whole or short, and a malformed one, which could break the line, isn’t', () => {
  const addressOf = (address: string): unknown => {
    const { lines, log } = openLog()
    logAnswer(log, { ...answered, address })
    return (JSON.parse(lines[0] ?? '') as Record<string, unknown>)['address']
  }
  for (const address of ['::', '2001:db8::1', '::ffff:192.0.2.7']) assert.equal(addressOf(address), address)
  const { lines, log } = openLog()
  logAnswer(log, { ...answered, isAddressShort: true })
  assert.match(lines[0] ?? '', /"address":"192\.0\.2\.0\/24"/)
  for (const odd of ['', '1', '"}', '1.1.1.1"', 'localhost', '1'.repeat(46)])
    assert.equal(addressOf(odd), 'odd')
})

test('answers are not logged at level warn', () => {
  const { lines, log } = openLog('warn')
  logAnswer(log, answered)
  log.warn('told')
  assert.equal(lines.length, 1)
})

test('an error is logged with all its causes, and with a code that is a word', () => {
  const { lines, log } = openLog()
  const first = Object.assign(new TypeError('first'), { code: 23505 })
  const last = Object.assign(new Error('last', { cause: first }), { code: 'ECONNRESET' })
  last.stack = 'stack of last'
  delete first.stack
  log.error({ err: last })
  log.error({ err: 'a text' })
  log.error({ err: new Error('outer', { cause: 'a text' }) })
  const [whole, text, outer] = lines.map((line) => (JSON.parse(line) as { err: { cause: unknown } }).err)
  assert.deepEqual(whole, {
    type: 'Error',
    message: 'last',
    code: 'ECONNRESET',
    stack: 'stack of last',
    cause: { type: 'TypeError', message: 'first', stack: '' },
  })
  assert.deepEqual(text, { message: 'a text' })
  assert.deepEqual(outer?.cause, { message: 'a text' })
})

test('secrets are hidden everywhere in a line, near-misses are not', () => {
  const key = 'A1b2C3d4'
  for (const [text, hidden] of [
    [`sk_${key} fk_${key} ak_${key}`, 'sk_[hidden] fk_[hidden] ak_[hidden]'],
    [`rk_live_${key} whsec_${key}+/= fsec_${key}`, 'rk_[hidden] whsec_[hidden] fsec_[hidden]'],
    [`live_${key.repeat(3)} sandbox_${key.repeat(3)}`, 'live_[hidden] sandbox_[hidden]'],
    ['sk_1234567 live_1234567890123456789', 'sk_1234567 live_1234567890123456789'],
    ['at ada@example.com, bob.b+c@mail.example.co.uk', 'at [hidden], [hidden]'],
    ['redis://:hunter2@db https://ada:hunter2@a.example', 'redis://[hidden]@db https://[hidden]@a.example'],
    ['4242 4242 4242 4242, 4242-4242-4242-4242', '[hidden], [hidden]'],
    [
      '4242424242424241 4242424242424242x v4242424242424242',
      '4242424242424241 4242424242424242x v4242424242424242',
    ],
    ['undici@8.12.4 @scope/name', 'undici@8.12.4 @scope/name'],
  ] as const) {
    assert.equal(hideInText(text), hidden)
    assert.deepEqual(JSON.parse(hideSecrets(`${JSON.stringify({ note: text })}\n`)), { note: hidden })
  }
})
