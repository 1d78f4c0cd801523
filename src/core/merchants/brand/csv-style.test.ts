import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvStyleOf } from './csv-style.ts'

for (const [country, languages, separator] of [
  ['GB', [], ','],
  ['DE', [], ';'],
  ['FR', ['en'], ';'],
  ['CH', ['de'], ','],
  ['US', ['de'], ','],
  ['BR', [], ';'],
  ['JP', [], ','],
  [undefined, ['de', 'en'], ';'],
  [undefined, ['en'], ','],
  [undefined, [], ','],
] as const)
  test(`a shop in ${country ?? 'no country'} with the languages ${languages.join() || 'of everybody'} gets files with ${separator}`, () => {
    const style = csvStyleOf({ country, languages, timeZone: 'UTC' })
    assert.deepEqual(style, { separator, decimalPoint: separator === ';' ? ',' : '.', timeZone: 'UTC' })
  })
