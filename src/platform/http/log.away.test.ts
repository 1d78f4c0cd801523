import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { makeLog } from './log.ts'

// A database that is away, in the log.

function openLog(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
  const texts: string[] = []
  const log = makeLog('info', { write: (line: string) => void texts.push(line) })
  const lines = (): Record<string, unknown>[] =>
    texts.splice(0).map((text) => JSON.parse(text) as Record<string, unknown>)
  return { log, lines }
}

function away(code: string, message = code): DatabaseUnavailable {
  return new DatabaseUnavailable(false, { cause: Object.assign(new Error(message), { code }) })
}

test('an unavailable database costs one log line a second with its cause, however many requests and jobs fail', (t) => {
  const { log, lines } = openLog(t)
  for (let request = 0; request < 100; request += 1)
    log.warn({ err: away('ECONNREFUSED'), request_id: `req_${request}` }, 'A request failed')
  const [first, ...others] = lines()
  assert.deepEqual(others, [])
  assert.equal(first?.['msg'], 'The database is unavailable: connection refused')
  assert.equal(first['request_id'], 'req_0')
  assert.doesNotMatch(JSON.stringify(first), /stack/)

  t.mock.timers.tick(1_000)
  log.child({}).error({ err: away('ECONNREFUSED'), job: 'deliver' }, 'A job failed')
  const [next] = lines()
  assert.deepEqual([next?.['left_out'], next?.['level'], next?.['job']], [99, 'error', 'deliver'])
})

test('a new cause is logged at once, in words', (t) => {
  const { log, lines } = openLog(t)
  for (const [code, words] of [
    ['53100', 'disk full'],
    ['25006', 'read-only'],
    ['53300', 'too many connections'],
    ['ENOTFOUND', 'host name not found'],
    ['', 'timeout exceeded when trying to connect'],
  ] as const) {
    log.warn({ err: away(code, words) }, 'A request failed')
    assert.deepEqual(
      lines().map(({ msg }) => msg),
      [`The database is unavailable: ${words}`],
    )
  }
  const several = new AggregateError([away('ECONNREFUSED').cause])
  log.warn({ err: new DatabaseUnavailable(false, { cause: several }) }, 'A request failed')
  assert.equal(lines()[0]?.['msg'], 'The database is unavailable: connection refused')
})

test('a slow statement or any other error is logged with its stack each time', (t) => {
  const { log, lines } = openLog(t)
  for (const err of [away('57014'), away('40P01'), new Error('else')])
    for (const request_id of ['req_1', 'req_2']) log.warn({ err, request_id }, 'A request failed')
  const all = lines()
  assert.equal(all.length, 6)
  for (const line of all) {
    assert.equal(line['msg'], 'A request failed')
    assert.match(JSON.stringify(line['err']), /"stack":"/)
  }
})
