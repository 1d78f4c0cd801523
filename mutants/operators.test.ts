import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, mutantsOf } from './operators.ts'

function changes(text: string): string[] {
  return mutantsOf('src/a.ts', text).map((mutant) => changeOf(text, mutant))
}

test('comparisons, guards and missing calls are planted in code, never in text', () => {
  const text = [
    `// a === b`,
    `const words = 'a === b'`,
    `  if (left < right && isOpen(left)) refuse()`,
    `  fields.check()`,
    `  paying.log.info('a line for people')`,
    `export type Moved = { readonly moved: true }`,
    `export const declinedMax = 10`,
    `const pauseMs = 20`,
    `const holdMs = 30 * 60_000`,
    `const limits = {\n  rows: 1_000,\n}`,
  ].join('\n')
  assert.deepEqual(changes(text), [
    `if ([-left < right && isOpen(left)-]{+false+}) refuse()`,
    `if (left[- < -]{+ <= +}right && isOpen(left)) refuse()`,
    `if (left < right[- && -]{+ || +}isOpen(left)) refuse()`,
    `[-fields.check()-]{+void 0+}`,
    `export const declinedMax = [-10-]{+11+}`,
    `const holdMs = [--]{+0.1 * +}30 * 60_000`,
    `rows: [-1_000-]{+1001+},`,
  ])
})

test('nothing is planted in a type, since types never run', () => {
  const text = [
    `export type Moved = { readonly moved: true }`,
    `function read(): { readonly ok: true } | { readonly ok: false; readonly rule: string } {`,
    `  const found = list as (readonly [from: number, isOpen: true])[]`,
    `  return { ok: true }`,
    `}`,
  ].join('\n')
  assert.deepEqual(changes(text), [`return { ok: [-true-]{+false+} }`])
})

test('every condition and every lock of a statement is dropped once', () => {
  const text =
    'const rows = sql`\n  select a from payments\n  where merchant_id = ${key.merchantId} and state in (${a}, ${b})\n' +
    '    and expires_at <= ${now} order by a for update skip locked`'
  const dropped = changes(text)
  assert.ok(dropped.includes('where [-merchant_id = ${key.merchantId}-]{+true+} and state in (${a}, ${b})'))
  assert.ok(dropped.includes('where merchant_id = ${key.merchantId} and [-state in (${a}, ${b})-]{+true+}'))
  assert.ok(dropped.includes('and [-expires_at <= ${now}-]{+true+} order by a for update skip locked`'))
  assert.ok(dropped.includes('and expires_at <= ${now} order by a [-for update skip locked-]{++}`'))
  assert.ok(dropped.includes('and expires_at <= ${now} order by a for update [-skip locked-]{++}`'))
})

test('conditions are also found in fragments of SQL statements', () => {
  const text =
    'rules.push(sql`lower(email) = lower(${email}) and mode = ${mode}`, sql`(created_at, number) < (${at}, ${number})`)'
  const dropped = changes(text)
  assert.equal(dropped.length, 4)
  assert.ok(dropped[0]?.startsWith('rules.push(sql`[-lower(email) = lower(${email})-]{+true+} and mode'))
  assert.ok(dropped[1]?.includes('and [-mode = ${mode}-]{+true+}`'))
  assert.ok(dropped[2]?.includes('[-(created_at, number) < (${at}, ${number})-]{+true+}'))
})

test('each planted bug is a single text change', () => {
  const text = 'const a = b === c\n'
  const [mutant] = mutantsOf('src/a.ts', text)
  assert.ok(mutant)
  assert.equal(text.slice(0, mutant.from) + mutant.replacement + text.slice(mutant.to), 'const a = b !== c\n')
})
