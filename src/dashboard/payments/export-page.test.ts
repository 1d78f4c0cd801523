import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { plainBrand } from '../../core/merchants/brand/brand.ts'
import { exportPage } from './export-page.ts'
import { readFilter } from './filter.ts'

const path = '/dashboard/12345678/test/payments'
const filtered = (query: Readonly<Record<string, string>>) => readFilter((name) => query[name])
const page = (query: Readonly<Record<string, string>> = {}, count = 3, ask: AskChanges = {}) =>
  exportPage(pageAsk(ask), filtered(query), { count, isExact: true }).body
const branded = (changes: object): AskChanges => ({ merchant: { brand: { ...plainBrand, ...changes } } })

for (const [query, words] of [
  [{}, undefined],
  [{ from: '2026-11-01', to: '2026-11-07' }, 'Created 1 November 2026 – 7 November 2026'],
  [{ from: '2026-11-01' }, 'Created since 2026-11-01'],
  [{ to: '2026-11-07' }, 'Created until 2026-11-07'],
  [{ to: '2026-11-07', by: 'end' }, 'Paid or ended until 2026-11-07'],
  [{ to: '2026-11-07', by: 'reversed' }, 'Taken back by the bank until 2026-11-07'],
] as const)
  test(`an export of ${JSON.stringify(query)} is of ${words ?? 'all days'}`, () => {
    assert.equal(factsIn(page(query))['Dates'], words)
  })

test('an export says what is in it, and leaves out filters that are empty', () => {
  assert.deepEqual(factsIn(page({}, 1_234)), { Payments: '1,234', Mode: 'test' })
  assert.deepEqual(
    factsIn(page({ search: 'ada', state: 'unpaid', currency: 'eur', project: 'p', why: 'expired' })),
    {
      Payments: '3',
      Mode: 'test',
      Search: 'ada',
      State: 'Not paid',
      Currency: 'EUR',
      Project: 'p',
      Reason: factsIn(page({ why: 'expired' }))['Reason'],
    },
  )
  assert.match(wordsOf(page()), /This exports every payment/)
  assert.doesNotMatch(wordsOf(page({ search: 'ada' })), /This exports every payment/)
})

test('nothing is downloaded when nothing fits, or while the filter has a mistake', () => {
  assert.equal(formsIn(page())['Download'], `${path}/all/export`)
  assert.deepEqual(formsIn(page({}, 0)), {})
  assert.match(wordsOf(page({}, 0)), /No payments to export/)
  const wrong = exportPage(pageAsk(), filtered({}), undefined, { from: 'Enter a day' }).body
  assert.match(wordsOf(wrong), /Enter a day/)
  assert.deepEqual(factsIn(wrong), {})
})

for (const [country, style] of [
  [undefined, 'commas'],
  ['GB', 'commas'],
  ['DE', 'semicolons'],
] as const)
  test(`a shop in ${country ?? 'no country'} gets ${style} unless it chooses otherwise`, () => {
    const { text } = page({}, 3, branded(country === undefined ? {} : { country }))
    assert.match(text, new RegExp(`value="${style}" selected`))
  })

test('last month and last quarter are those of the shop’s own time zone', () => {
  const at = (now: string, timeZone: string) =>
    linksIn(page({}, 3, { ...branded({ timeZone }), core: { now: () => new Date(now) } as never }))
  const query = (from: string, to: string): string =>
    `${path}/all/export?state=paid&by=end&from=${from}&to=${to}`
  assert.equal(at('2026-10-31T23:30:00Z', 'UTC')['Paid last month'], query('2026-09-01', '2026-09-30'))
  assert.equal(
    at('2026-10-31T23:30:00Z', 'Europe/Berlin')['Paid last month'],
    query('2026-10-01', '2026-10-31'),
  )
  assert.equal(at('2026-09-30T22:30:00Z', 'UTC')['Paid last quarter'], query('2026-04-01', '2026-06-30'))
  assert.equal(
    at('2026-09-30T22:30:00Z', 'Europe/Berlin')['Paid last quarter'],
    query('2026-07-01', '2026-09-30'),
  )
})

for (const [query, isHere] of [
  [{ from: '2026-10-01', to: '2026-10-31', by: 'end' }, true],
  [{ from: '2026-10-01', to: '2026-10-31' }, false],
  [{ from: '2026-10-02', to: '2026-10-31', by: 'end' }, false],
  [{ from: '2026-10-01', to: '2026-10-30', by: 'end' }, false],
] as const)
  test(`${JSON.stringify(query)} ${isHere ? 'is' : 'isn’t'} last month`, () => {
    assert.equal(/aria-current="page">Paid last month</.test(page(query).text), isHere)
  })
