import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes, languageName, readLanguages } from './languages.ts'

test('languages are read in order, each once, in any case', () => {
  assert.deepEqual(readLanguages([' DE ', 'en', 'de', 'En']), ['de', 'en'])
  assert.deepEqual(readLanguages([]), [])
  assert.deepEqual(readLanguages(languageCodes), [...languageCodes])
  for (const wrong of [['en', 'xx'], [''], ['english']])
    assert.throws(() => readLanguages(wrong), {
      message: 'languages must be some of en, cy, fr, de, es, pl, ar',
    })
})

test('a language has its English name', () => {
  assert.deepEqual(['en', 'cy', 'ar'].map(languageName), ['English', 'Welsh', 'Arabic'])
})
