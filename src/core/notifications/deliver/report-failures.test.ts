import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hours, makeStillClock, minutes } from '../../../../test/support/clock.ts'
import { makeLog } from '../../../platform/http/log.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import { makeReportFailures, type ReportFailures } from './report-failures.ts'

type Line = { level: string; reason: string; cause?: string; failures?: number; msg: string }

function openTeller() {
  const clock = makeStillClock()
  const lines: Line[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  return { clock, lines, tell: makeReportFailures(log, clock.now) }
}

const shop = { merchant_id: 1, mode: 'live', kind: 'ipn', origin: 'https://shop.example' } as const
const nothing = { ms: 1, status: null, error: null, answer: null }
const expired: Outcome = {
  ...nothing,
  verdict: 'failed',
  error: 'tls_failed',
  cause: 'CERT_HAS_EXPIRED: certificate has expired',
}
const delivered: Outcome = { ...nothing, verdict: 'delivered', status: 200 }

function often(tell: ReportFailures, outcome: Outcome): void {
  for (let count = 0; count < 100; count += 1) tell(shop, outcome)
}

test('a constantly failing receiver is logged at once, then with growing gaps and a count', () => {
  const { clock, lines, tell } = openTeller()
  for (let minute = 0; minute < 4 * 60; minute += 1) {
    often(tell, expired)
    clock.jump(minutes)
  }
  assert.deepEqual(
    lines.map(({ failures }) => failures),
    [1, 100, 200, 400, 800, 1_600, 3_200, 6_000, 6_000],
  )
  assert.equal(lines[0]?.level, 'warn')
  assert.deepEqual(
    [lines[0]?.reason, lines[0]?.cause],
    ['tls_failed', 'CERT_HAS_EXPIRED: certificate has expired'],
  )
})

test('a new reason or another receiver is logged at once', () => {
  const { lines, tell } = openTeller()
  often(tell, expired)
  often(tell, { ...nothing, verdict: 'failed', status: 503 })
  tell({ ...shop, origin: 'https://other.example' }, expired)
  tell({ ...shop, mode: 'test' }, expired)
  assert.deepEqual(
    lines.map(({ level, reason }) => `${level} ${reason}`),
    ['warn tls_failed', 'warn 503', 'warn tls_failed', 'info tls_failed'],
  )
})

test('e-mail of all merchants has one server, and its answers are logged by code', () => {
  const { lines, tell } = openTeller()
  for (const merchant_id of [1, 2])
    tell(
      { ...shop, merchant_id, kind: 'mail', origin: 'mail' },
      { ...nothing, verdict: 'failed', status: 535, error: 'EAUTH' },
    )
  assert.deepEqual(
    lines.map(({ reason, msg }) => [reason, msg]),
    [['EAUTH 535', 'Could not send a mail; will retry']],
  )
})

test('a minute of success is logged and makes the next failure news; an occasional success doesn’t', () => {
  const { clock, lines, tell } = openTeller()
  for (let count = 0; count < 100; count += 1) {
    tell(shop, expired)
    tell(shop, delivered)
  }
  assert.equal(lines.length, 1)
  clock.jump(minutes)
  often(tell, delivered)
  assert.deepEqual([lines.length, lines[1]?.msg], [2, 'Deliveries succeed again'])
  tell(shop, expired)
  assert.equal(lines.length, 3)
})

test('after a day of silence a failure is logged with the first gap again', () => {
  const { clock, lines, tell } = openTeller()
  tell(shop, expired)
  clock.jump(24 * hours)
  tell(shop, expired)
  clock.jump(minutes)
  tell(shop, expired)
  assert.equal(lines.length, 3)
})

test('memory stays bounded with ever new reasons', () => {
  const { lines, tell } = openTeller()
  for (let merchant_id = 0; merchant_id < 10_100; merchant_id += 1) tell({ ...shop, merchant_id }, expired)
  tell({ ...shop, merchant_id: 0 }, expired)
  assert.equal(lines.length, 10_101, 'the first one is forgotten, and told again')
})
