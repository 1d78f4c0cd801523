import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hours, makeStillClock, minutes } from '../../../../test/support/clock.ts'
import { makeLog } from '../../../platform/http/log.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import { makeReportFailures } from './report-failures.ts'

type Line = Record<string, unknown>

function openTeller() {
  const clock = makeStillClock()
  const lines: Line[] = []
  const write = (line: string): void => {
    const { time: _, ...rest } = JSON.parse(line) as Line
    lines.push(rest)
  }
  const tell = makeReportFailures(makeLog('info', { write }), clock.now)
  return { clock, lines, tell, told: () => lines.splice(0) }
}

const shop = { merchant_id: 1, mode: 'live', kind: 'ipn', origin: 'https://shop.example' } as const
const email = { ...shop, kind: 'mail', origin: 'mail' } as const
const nothing = { ms: 1, status: null, error: null, answer: null }
const failed: Outcome = { ...nothing, verdict: 'failed', error: 'timeout' }
const delivered: Outcome = { ...nothing, verdict: 'delivered', status: 200 }
const facts = { kind: 'ipn', merchant: 1, mode: 'live', origin: 'https://shop.example' }

test('a failure’s log line says which receiver, why and how often, and names no one for e-mail', () => {
  const { tell, told } = openTeller()
  tell(shop, { ...failed, cause: 'CERT: over' })
  tell({ ...shop, mode: 'test' }, { ...nothing, verdict: 'gone', status: 410 })
  tell(email, { ...nothing, verdict: 'gone', status: 550, error: 'EENVELOPE' })
  tell(email, { ...nothing, verdict: 'failed' })
  assert.deepEqual(told(), [
    {
      level: 'warn',
      ...facts,
      reason: 'timeout',
      cause: 'CERT: over',
      failures: 1,
      msg: 'Could not deliver a notification; will retry',
    },
    {
      level: 'info',
      ...facts,
      mode: 'test',
      reason: '410',
      failures: 1,
      msg: 'A receiver refused a notification for good',
    },
    {
      level: 'warn',
      kind: 'mail',
      reason: 'EENVELOPE 550',
      failures: 1,
      msg: 'A mail server refused a mail for good',
    },
    {
      level: 'warn',
      kind: 'mail',
      reason: 'unknown',
      failures: 1,
      msg: 'Could not send a mail; will retry',
    },
  ])
})

test('kept, skipped or waiting deliveries are no failures', () => {
  const { tell, told } = openTeller()
  for (const verdict of ['kept', 'skipped', 'waits'] as const) tell(email, { ...nothing, verdict })
  assert.deepEqual(told(), [])
})

test('a gap ends to the millisecond, and doubles each time up to an hour', () => {
  const { clock, tell, told } = openTeller()
  tell(shop, failed)
  assert.equal(told().length, 1)
  for (const gap of [1, 2, 4, 8, 16, 32, 60, 60]) {
    clock.jump(gap * minutes - 1)
    tell(shop, failed)
    assert.deepEqual(told(), [], `within ${gap} minutes`)
    clock.jump(1)
    tell(shop, failed)
    assert.deepEqual(
      told().map(({ failures }) => failures),
      [2],
      `after ${gap} minutes`,
    )
  }
})

test('a failure is news after exactly two hours of silence beyond its gap', () => {
  for (const [moreMs, gapAfter] of [
    [0, 2 * minutes],
    [1, 1 * minutes],
  ] as const) {
    const { clock, tell, told } = openTeller()
    tell(shop, failed)
    clock.jump(minutes + 2 * hours + moreMs)
    tell(shop, failed)
    told()
    clock.jump(gapAfter - 1)
    tell(shop, failed)
    assert.deepEqual(told(), [])
    clock.jump(1)
    tell(shop, failed)
    assert.equal(told().length, 1)
  }
})

test('a receiver has recovered a minute after its last failure, whatever its reason, and that is logged once', () => {
  const { clock, tell, told } = openTeller()
  tell(shop, failed)
  clock.jump(59_000)
  tell(shop, failed)
  told()
  clock.jump(minutes - 1)
  tell(shop, delivered)
  assert.deepEqual(told(), [])
  clock.jump(1)
  tell(shop, delivered)
  tell(shop, delivered)
  assert.deepEqual(told(), [{ level: 'info', ...facts, msg: 'Deliveries succeed again' }])
  tell({ ...shop, origin: 'https://other.example' }, delivered)
  assert.deepEqual(told(), [], 'one that never failed has not recovered')
})

test('ten thousand reasons are remembered; one more evicts only the oldest receiver', () => {
  const { tell, lines, told } = openTeller()
  const fails = (merchant_id: number): number => {
    const before = lines.length
    tell({ ...shop, merchant_id }, failed)
    return lines.length - before
  }
  for (let merchant = 1; merchant <= 10_000; merchant += 1) fails(merchant)
  assert.deepEqual([fails(1), fails(2), fails(10_000)], [0, 0, 0])
  assert.equal(fails(10_001), 1)
  assert.deepEqual([fails(2), fails(10_001)], [0, 0])
  assert.equal(fails(1), 1)
  assert.deepEqual([fails(3), fails(2)], [0, 1])
  told()
})

test('a recovered receiver frees its place, and a single one may have any number of reasons', () => {
  const { clock, tell, lines, told } = openTeller()
  for (let status = 1; status <= 10_005; status += 1) tell(shop, { ...nothing, verdict: 'failed', status })
  assert.equal(told().length, 10_005)
  tell(shop, { ...nothing, verdict: 'failed', status: 1 })
  assert.deepEqual(told(), [])
  clock.jump(minutes)
  tell(shop, delivered)
  told()
  for (let merchant_id = 2; merchant_id <= 10_001; merchant_id += 1) tell({ ...shop, merchant_id }, failed)
  assert.equal(lines.length, 10_000)
  tell({ ...shop, merchant_id: 2 }, failed)
  assert.equal(lines.length, 10_000, 'nobody had to be forgotten')
})
