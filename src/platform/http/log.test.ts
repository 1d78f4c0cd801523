import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLog } from './log.ts'

// Assembled here, so that no scanner of the repository takes it for a real one.
const key = `sk_live_${'A1b2C3d4'.repeat(4)}AbCdEf`
const webhookSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
// Of networks: a restricted key of Stripe, an access token of GoCardless.
const networkKeys = [`rk_live_${'A1b2C3d4'.repeat(4)}`, `sandbox_${'A1b2-_C3d4'.repeat(4)}`]
const planted = [
  key,
  webhookSecret,
  ...networkKeys,
  '4242424242424242',
  '5555 5555 5555 4444',
  'hunter2',
  'ada@example.com',
]

function logged(write: (log: ReturnType<typeof makeLog>) => void): string {
  const lines: string[] = []
  write(makeLog('trace', { write: (line: string) => void lines.push(line) }))
  return lines.join('')
}

test('fields with secret names are hidden at any depth', () => {
  const secrets = {
    authorization: `Bearer ${key}`,
    secret_key: key,
    password: 'hunter2',
    token: 'hunter2',
    card_number: '4242424242424242',
    cvc: 'hunter2',
    credentials: { anything: 'hunter2' },
    email: 'ada@example.com',
    body: { any: 'hunter2' },
  }
  assertClean(logged((log) => log.info(secrets)))
  assertClean(logged((log) => log.info({ sent: secrets })))
  assertClean(logged((log) => log.child({ in: { deep: [secrets] } }).info('noted')))
  assertClean(logged((log) => log.info({ req: { headers: { authorization: 'hunter2' } } })))
})

test('secrets are hidden anywhere in a line', () => {
  const places = [
    key,
    webhookSecret,
    ...networkKeys,
    '4242424242424242',
    '5555 5555 5555 4444',
    'ada@example.com',
  ]
  for (const secret of places) {
    assertClean(logged((log) => log.info(`a sentence with ${secret} in it`)))
    assertClean(logged((log) => log.warn({ deep: { inside: [{ note: secret }] } }, 'noted')))
    assertClean(logged((log) => log.error({ err: new Error(`broke on "${secret}"`) }, 'broke')))
    assertClean(logged((log) => log.error({ err: new Error('outer', { cause: new Error(secret) }) })))
  }
  assertClean(logged((log) => log.error({ err: new Error('postgres://florin:hunter2@db/florin') })))
})

test('the row that PostgreSQL quotes in an error’s detail is left out', () => {
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(hunter2) exists',
  })
  const line = logged((log) => log.error({ err: error }))
  assertClean(line)
  assert.match(line, /"code":"23505"/)
})

test('a line with hidden parts can still be parsed', () => {
  const line = logged((log) => log.info({ request_id: 'req_1', note: `${key} of ada@example.com` }, 'noted'))
  const read = JSON.parse(line) as Record<string, unknown>
  assert.equal(read['level'], 'info')
  assert.equal(read['note'], 'sk_[hidden] of [hidden]')
  assert.equal(read['msg'], 'noted')
})

test('numbers, ids, times and user agents are not mistaken for secrets', () => {
  const facts = {
    ms: 1234.5,
    minor: '9007199254740993',
    checkout: '12345678123456789012345678901234',
    address: '2026-11-15T14:05:00.123456Z',
    stack: 'at node_modules/@fastify/send/index.js:10:4 (undici@8.12.4)',
  }
  const read = JSON.parse(logged((log) => log.info(facts))) as Record<string, unknown>
  for (const [name, value] of Object.entries(facts)) assert.equal(read[name], value)
})

function assertClean(lines: string): void {
  assert.notEqual(lines, '')
  for (const secret of planted) assert.equal(lines.includes(secret), false, lines)
}
