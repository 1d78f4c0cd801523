import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openReport } from './report.ts'
import type { Ended } from './worker-process.ts'

const root = '/florin'

function open(t: TestContext, total: number) {
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const printed: string[] = []
  let status: string | (() => string) = ''
  const report = openReport(
    {
      show: (text) => void (status = text),
      print: (text) => void printed.push(text),
      end: () => {},
    },
    root,
    total,
  )
  return {
    report,
    pass: (ms: number) => void (nowMs += ms),
    status: () => (typeof status === 'string' ? status : status()),
    /** What was printed since the last look. */
    printed: () => printed.splice(0).join(''),
  }
}

function ended(file: string, changes: Partial<Ended> = {}): Ended {
  return {
    file: `${root}/${file}`,
    ms: 1_449,
    passed: 3,
    skipped: 0,
    failures: [],
    notes: [],
    printed: '',
    ...changes,
  }
}

test('the status shows the run’s progress and what is running', (t) => {
  const { report, status, pass } = open(t, 3)
  assert.equal(status(), '0 of 3 files, 0 failed, 0:00, running: preparing the database')
  report.start('/florin/src/a.test.ts')
  report.start('/florin/src/b.test.ts')
  report.end(ended('src/a.test.ts', { failures: [{ title: 'adds', error: 'Error: no' }] }))
  pass(130_000)
  assert.equal(status(), '1 of 3 files, 1 failed, 2:10, running: src/b.test.ts')
})

test('a file is printed when it ends, a failure in full with the command that repeats it', (t) => {
  const { report, printed } = open(t, 2)
  report.end(ended('src/a.test.ts', { skipped: 1, notes: ['no ruby'] }))
  assert.equal(printed(), '  src/a.test.ts: 3 passed, 1 skipped in 1.4 s\n    note: no ruby\n')
  report.end(
    ended('src/b.test.ts', {
      failures: [
        { title: 'adds', error: 'Error: no\n  at b' },
        { title: '', error: 'Left behind: 1 timer(s) still running' },
      ],
      printed: 'a line\n',
    }),
  )
  assert.equal(
    printed(),
    `  src/b.test.ts: 3 passed, 2 FAILED in 1.4 s

    FAILED: adds
    Error: no
      at b

    FAILED: the file itself
    Left behind: 1 timer(s) still running

    It printed:
    a line

    Run it again: npm test -- src/b.test.ts

`,
  )
})

test('a run ends with its failures again and the totals, including checks', (t) => {
  const { report, printed } = open(t, 2)
  report.end(ended('src/a.test.ts'))
  report.end(ended('src/b.test.ts', { passed: 0, failures: [{ title: 'adds', error: 'Error: no' }] }))
  report.check({ name: 'Types', ok: true, ms: 900, output: '' })
  report.check({ name: 'Lint', ok: false, ms: 900, output: 'bad line\n' })
  assert.match(printed(), / {2}Types: ok in 0\.9 s\nbad line\n {2}Lint: FAILED in 0\.9 s\n$/)
  assert.equal(report.close(), false)
  assert.equal(
    printed(),
    '\nFAILED: npm test -- src/b.test.ts\n  adds\n\nFAILED in 0:00\n\n4 passed, 2 failed\n',
  )
})

test('a file that never reports fails the run', (t) => {
  const { report, printed } = open(t, 2)
  report.end(ended('src/a.test.ts'))
  assert.equal(report.close(), false)
  assert.match(
    printed(),
    /1 of 2 files did not run to their end\.\n\nFAILED in 0:00\n\n3 passed, 1 failed\n$/,
  )
})

test('a run without failures is OK, and a long one names its slowest files', (t) => {
  const { report, printed } = open(t, 11)
  for (let at = 0; at < 11; at += 1) report.end(ended(`src/${at}.test.ts`, { ms: at * 1_000 }))
  printed()
  assert.equal(report.close(), true)
  const text = printed()
  assert.match(text, /^\nThe slowest 10 of 11 files:\n {3}10\.0 s {2}src\/10\.test\.ts\n/)
  assert.doesNotMatch(text, /src\/0\.test/)
  assert.match(text, /\nOK in 0:00\n\n33 passed, 0 failed\n$/)
})
