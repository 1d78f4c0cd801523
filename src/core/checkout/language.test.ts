import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes } from '../merchants/brand/languages.ts'
import {
  chooseLanguage,
  displayDay,
  displayMoney,
  displayTime,
  displayWait,
  english,
  fill,
  findLanguage,
  languages,
  offeredLanguages,
} from './language.ts'

// Words that are the same in another language, looked at one by one.
const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {
  fr: ['total', 'date'],
  es: ['errorTitle', 'total'],
}

for (const { code, words } of languages) {
  test(`${code} has every key of English, none empty, each with the same placeholders`, () => {
    assert.deepEqual(Object.keys(words), Object.keys(english.words))
    for (const [key, sentence] of Object.entries(words)) {
      const places = (text: string): string[] => text.match(/\{\w+\}/g)?.toSorted() ?? []
      assert.notEqual(sentence.trim(), '', key)
      assert.equal(sentence, sentence.trim(), key)
      assert.deepEqual(places(sentence), places(english.words[key as keyof typeof words]), key)
    }
  })

  if (code !== 'en') {
    test(`${code} has no English left over`, () => {
      const leftOver = Object.entries(words)
        .filter(([key, sentence]) => sentence === english.words[key as keyof typeof words])
        .map(([key]) => key)
      assert.deepEqual(leftOver, sameAsEnglish[code] ?? [])
    })
  }
}

test('the language switch wins, then the browser’s preferences, then English', () => {
  const code = (asked: unknown, header?: string): string => chooseLanguage(asked, header).language.code
  assert.equal(code('cy', 'fr'), 'cy')
  assert.equal(code(undefined, 'de-AT,de;q=0.9,en;q=0.8'), 'de')
  assert.equal(code(undefined, 'en;q=0.2, pl-PL;q=0.7, ja'), 'pl')
  assert.equal(code(undefined, 'ar-EG'), 'ar')
  assert.equal(code(undefined, 'fr;q=0, es;q=0.1'), 'es')
  // Not wanted at all, and nothing else that we have: English, not the one that was ruled out.
  for (const none of ['fr;q=0', 'ja, fr;q=0.0', 'fr; q=0.000 , cy;q=0'])
    assert.equal(code(undefined, none), 'en', none)
  for (const odd of [undefined, '', '*', 'xx-YY', ';;;,,,', 'q=1', 'fr;q=nonsense'.repeat(5000)]) {
    assert.equal(typeof code(undefined, odd), 'string')
  }
  assert.equal(code('klingon', undefined), 'en')
  assert.equal(code(['fr', 'de'], undefined), 'en')
})

test('shops choose among the available languages', () => {
  assert.deepEqual(
    languages.map(({ code }) => code),
    languageCodes,
  )
  const offered = offeredLanguages(['pl', 'cy', 'xx'])
  const code = (asked: unknown, header?: string): string =>
    chooseLanguage(asked, header, offered).language.code
  assert.deepEqual(
    [code('cy'), code('en'), code(undefined, 'de, cy;q=0.1'), code(undefined, 'de')],
    ['cy', 'pl', 'cy', 'pl'],
  )
  assert.deepEqual(chooseLanguage('en', undefined, offered).isChosen, false)
  assert.equal(offeredLanguages([]), languages)
  assert.equal(offeredLanguages(['xx']), languages)
})

test('only a language chosen with the switch is kept in links', () => {
  assert.equal(chooseLanguage('fr', undefined).isChosen, true)
  assert.equal(chooseLanguage(undefined, 'fr').isChosen, false)
})

test('a name with braces is inserted unchanged', () => {
  assert.equal(fill('Pay {merchant}', { merchant: '{amount} & $& Co' }), 'Pay {amount} & $& Co')
  assert.equal(fill('Pay {unknown}', {}), 'Pay {unknown}')
})

test('a wait is given in seconds up to ninety, then in minutes, and never too short', () => {
  const said = (ms: number): string => displayWait(ms, english)
  assert.deepEqual([-5, 0, 1, 1_000, 1_001, 90_000].map(said), [
    'in 1 second',
    'in 1 second',
    'in 1 second',
    'in 1 second',
    'in 2 seconds',
    'in 90 seconds',
  ])
  assert.deepEqual([90_001, 120_000, 120_001].map(said), ['in 2 minutes', 'in 2 minutes', 'in 3 minutes'])
})

test('in Arabic text a Latin currency code and its number keep their direction', () => {
  const arabic = languages.find(({ code }) => code === 'ar') ?? assert.fail()
  assert.equal(displayMoney(100n, 'GBP', english), '£1.00')
  assert.equal(displayMoney(100n, 'CHF', english), 'CHF\u00a01.00')
  assert.match(
    displayMoney(100n, 'CHF', arabic),
    /^\u2066[^\u200e\u200f\u061c]*CHF[^\u200e\u200f\u061c]*\u2069$/,
  )
  assert.doesNotMatch(displayMoney(100n, 'EUR', arabic), /[\u2066\u2069]/)
})

test('days are counted in the shop’s time zone', () => {
  const midnight = new Date('2026-11-15T23:30:00Z')
  assert.equal(displayDay(midnight, english), '15 November 2026')
  assert.equal(displayDay(midnight, english, 'Europe/Berlin'), '16 November 2026')
})

test('numbers and dates follow the browser’s region', () => {
  const shown = (header: string, asked?: string): string[] => {
    const { language } = chooseLanguage(asked, header)
    const written = [
      displayMoney(123_456_750n, 'USD', language),
      displayDay(new Date('2026-11-15T14:05:00Z'), language),
      displayTime('2026-11-15T14:05:00Z', language).split(', ').at(-1) ?? '',
    ]
    return [language.tag, ...written.map((text) => text.replace(/\s/g, ' '))]
  }
  const british = ['US$1,234,567.50', '15 November 2026', '14:05 UTC']
  assert.deepEqual(shown('en'), ['en', ...british])
  // Nothing to remember of the region that is ours anyway, nor of one that there is not.
  for (const same of ['en-GB,en;q=0.9', 'en-XX', 'en-001', 'en-Latn-US', 'en-u'])
    assert.deepEqual(shown(same), ['en', ...british], same)
  const american = ['en-US', '$1,234,567.50', 'November 15, 2026', '2:05 PM UTC']
  assert.deepEqual(shown('en-US,en;q=0.9'), american)
  assert.deepEqual(shown('de-AT, EN-us;q=0.5', 'en'), american)
  assert.deepEqual(shown('en-IN'), ['en-IN', '$12,34,567.50', '15 November 2026', '2:05 pm UTC'])
  assert.deepEqual(shown('de-AT'), ['de-AT', '$ 1.234.567,50', '15. November 2026', '14:05 UTC'])
  // In Thailand and Saudi Arabia, too, the year and the digits are those on the card.
  for (const far of ['en-TH', 'ar-SA', 'ar-EG']) assert.match(shown(far)[2] ?? '', /^15 .* 2026$/, far)
  assert.match(shown('ar-EG')[1] ?? '', /1,234,567\.50/)
})

test('a stored language is restored with its region', () => {
  assert.deepEqual(findLanguage('en-US'), chooseLanguage(undefined, 'en-US').language)
  assert.equal(findLanguage('fr').code, 'fr')
  assert.equal(findLanguage('ja-JP'), english)
})

test('times are formatted as people write them', () => {
  const written = (code: string): string => {
    const language = languages.find((each) => each.code === code) ?? english
    return displayTime('2026-11-15T14:05:00.123456Z', language)
  }
  assert.equal(written('en'), '15 November 2026, 14:05 UTC')
  assert.equal(written('cy'), '15 Tachwedd 2026, 14:05 UTC')
  assert.equal(written('ar'), '15 نوفمبر 2026، 14:05 UTC')
})

test('a time zone has its common name, or its UTC offset where the language has none', () => {
  const written = (code: string, instant: string, timeZone: string): string => {
    const language = languages.find((each) => each.code === code) ?? english
    return displayTime(instant, language, timeZone).split(' ').at(-1) ?? ''
  }
  const zones = (instant: string, timeZone: string): string[] =>
    languages.map(({ code }) => written(code, instant, timeZone))
  assert.equal(written('en', '2026-01-15T12:00:00Z', 'Europe/London'), 'GMT')
  assert.equal(written('en', '2026-07-15T12:00:00Z', 'Europe/London'), 'BST')
  assert.equal(written('de', '2026-01-15T12:00:00Z', 'Europe/London'), 'UTC')
  assert.equal(written('de', '2026-07-15T12:00:00Z', 'Europe/Berlin'), 'MESZ')
  assert.equal(written('ar', '2026-01-15T12:00:00Z', 'Asia/Riyadh'), 'UTC+3')
  assert.deepEqual(new Set(zones('2026-01-15T12:00:00Z', 'America/Bogota')), new Set(['UTC\u22125']))
  for (const zone of ['Europe/London', 'Africa/Abidjan', 'Atlantic/Reykjavik', 'Etc/UTC']) {
    const odd = zones('2026-01-15T12:00:00Z', zone).filter((name) => !/^(UTC|GMT)$/.test(name))
    assert.deepEqual(odd, [], zone)
  }
})
