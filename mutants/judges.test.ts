import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgesOf, likenessTo, wordsOf } from './judges.ts'
import { hashOf, isRun, type TestRun, type Touched } from './touched.ts'

const path = 'src/platform/money/money.ts'
const whole = { from: 0, to: 100, ran: true }
const outer = { from: 10, to: 50, ran: true }
const inner = { from: 20, to: 30, ran: false }

test('a line counts as run when its innermost function ran', () => {
  const touched: Touched = { hash: 'now', spans: [whole, outer, inner] }
  assert.equal(isRun(touched, 'now', 15), true)
  assert.equal(isRun(touched, 'now', 25), false)
  // By another process of the same test.
  assert.equal(isRun({ hash: 'now', spans: [...touched.spans, { ...inner, ran: true }] }, 'now', 25), true)
  assert.equal(isRun(undefined, 'now', 25), false)
})

test('a file’s constants count as run by every test that runs one of its functions', () => {
  const later = [{ ...whole, ran: false }, outer, inner]
  assert.equal(isRun({ hash: 'now', spans: later }, 'now', 5), true)
  assert.equal(isRun({ hash: 'now', spans: [{ ...whole, ran: false }, inner] }, 'now', 5), false)
})

test('in a file changed since, any test that ran one of its functions may judge', () => {
  assert.equal(isRun({ hash: 'before', spans: [whole, outer, inner] }, 'now', 25), true)
  assert.equal(
    isRun({ hash: 'before', spans: [whole, inner] }, 'now', 25),
    false,
    'an import alone is no run',
  )
})

function run(file: string, ms: number): TestRun {
  return { file, hash: '', ms, touched: { [path]: { hash: hashOf(path), spans: [whole] } } }
}

test('tests beside the file judge first, then the fastest', () => {
  const runs = [
    run('test/flows/slow.test.ts', 900),
    run('test/flows/quick.test.ts', 5),
    run('src/platform/money/money.test.ts', 50),
  ]
  assert.deepEqual(
    judgesOf(runs, path, 60).map(({ file }) => file),
    ['src/platform/money/money.test.ts', 'test/flows/quick.test.ts', 'test/flows/slow.test.ts'],
  )
})

test('a slow test judges only files that its name matches', () => {
  const runs = [
    run('test/flows/quick.test.ts', 5),
    run('test/flows/checkout-pay.test.ts', 31_000),
    run('test/flows/money-taken.test.ts', 32_000),
    run('test/flows/no-money.test.ts', 33_000),
  ]
  const byName = likenessTo(runs, () => '')
  assert.deepEqual(
    judgesOf(runs, path, 60, byName).map(({ file }) => file),
    ['test/flows/quick.test.ts', 'test/flows/money-taken.test.ts'],
  )
})

test('a word used in few tests weighs more than one used in many', () => {
  const texts: Record<string, string> = {
    'calls.test.ts': 'a payment with extraSlashes',
    'mail.test.ts': 'a payment, its mail and its address',
    'pages.test.ts': 'a payment, its page and its address',
  }
  const runs = Object.keys(texts).map((file) => ({ file }))
  const likeness = likenessTo(runs, (file) => texts[file] ?? '')
  const place = wordsOf('if (!mayHaveExtraSlashes(url)) return payment.address')
  assert.ok(likeness('calls.test.ts', place) > likeness('mail.test.ts', place))
  assert.equal(likeness('mail.test.ts', place), likeness('pages.test.ts', place))
  assert.equal(likeness('mail.test.ts', wordsOf('payment')), 0, 'all say it')
})

test('a file of constants is judged by the tests that run its importers', () => {
  const list = 'src/core/merchants/mode.ts'
  const user = {
    ...run('src/platform/money/money.test.ts', 5),
    touched: { 'src/core/payments/card-testing/limits.ts': { hash: '', spans: [outer] } },
  }
  const other = {
    ...run('src/platform/input/fields.test.ts', 5),
    touched: { 'src/platform/input/fields.ts': { hash: '', spans: [outer] } },
  }
  assert.deepEqual(
    judgesOf([user, other], list, 0).map(({ file }) => file),
    ['src/platform/money/money.test.ts'],
  )
})
