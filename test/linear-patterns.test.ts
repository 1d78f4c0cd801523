import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findAmbiguity } from './support/patterns/find-ambiguity.ts'
import { readSource } from './support/source-text.ts'

// One request of 62 kB took four to six seconds in each of three regular expressions. Every expression in src/ has to
// take time in proportion to its text, or never sees a text from outside.

const root = fileURLToPath(new URL('../src/', import.meta.url))

/** By file, or by folder: why no text from outside gets there. */
const inside: Readonly<Record<string, string>> = {
  'modules/backup/tables.ts': 'reads our schema',
  'cli/': 'reads what the operator types, and our own usage and metrics',
  'app/commands/': 'reads our own usage',
  'modules/customers/commands/': 'reads what the operator types',
  'platform/database/': 'reads our own statements and schema: values are parameters',
  'dashboard/installation/glance.ts': 'reads our own metrics',
  'platform/http/page.ts': 'reads our own styles',
  'platform/pdf/fonts.ts': 'reads names of our fonts',
  'platform/postgres/embedded.ts': "reads PostgreSQL's log of its start",
  'guide/': 'reads our own guide',
}

/** Expressions that may be slow: why that does no harm. */
const harmless: Readonly<Record<string, string>> = {
  '/+$': 'the path of BASE_URL, which the operator sets',
  '\\s*\\n\\s*': 'our own templates, once each',
  '\\B(?=(\\d{3})+$)': 'the digits of an amount, of which there are at most 19',
  '=+$': 'the Base64 of a hash',
  '(\\.\\d*?)0+$': 'a tax rate, which is three digits and two decimals by then',
  '\\.?0*$': 'an amount with at most 19 digits',
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$': 'a search, cut to 400 characters',
  '["\'”’»>,;\\s]+$': 'a search, cut to 400 characters',
  '^[,;]+|[,;]+$': 'a word of a search, cut to 400 characters',
  '<([^<>\\s]+@[^<>\\s]*)$': 'a search, cut to 400 characters',
  '"((?:[^"\\\\]|\\\\.)*)"(?:(\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|\\d+))?': 'JSON: every string ends',
  '"(?:[^"\\\\]|\\\\.)*"': 'JSON: every string ends',
  '"(?:[^"\\\\]|\\\\.)*"|[{}[\\],:]|[^\\s{}[\\],:"]+': 'JSON: every string ends',
  '"(?:[^"\\\\]|\\\\.)*"|\\{\\}|\\[\\]|[{}[\\],:]': 'JSON: every string ends',
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, ...readSource(readFileSync(join(root, path), 'utf8')) }))
  .filter(({ path }) => !Object.keys(inside).some((place) => path.startsWith(place)))

test('every regular expression that sees text from outside is linear', () => {
  const used = new Set<string>()
  const slow = files.flatMap(({ path, patterns }) =>
    patterns.flatMap((pattern) => {
      const why = findAmbiguity(pattern)
      if (why === undefined) return []
      used.add(pattern.source.replaceAll('\\/', '/'))
      return Object.hasOwn(harmless, pattern.source.replaceAll('\\/', '/'))
        ? []
        : [`${path}:${pattern.line} /${pattern.source}/: ${why}`]
    }),
  )
  assert.deepEqual(slow, [])
  assert.deepEqual(
    [...used].toSorted(),
    Object.keys(harmless).toSorted(),
    'the list has no more than is used',
  )
})

/** What makes the expressions of these files, beside loading them. */
const makers: Readonly<Record<string, (module: never) => unknown>> = {
  'platform/money/card-data.ts': () => {},
  'platform/money/card-numbers.ts': () => {},
  'platform/http/log.ts': () => {},
  'core/payments/create-payment.ts': () => {},
  'platform/http/known-paths.ts': ({
    makeKnownPaths,
  }: typeof import('../src/platform/http/known-paths.ts')) =>
    makeKnownPaths().add({ method: 'GET', url: '/payment/:digits/refund/:id/*' } as never),
  'platform/input/erased.ts': ({ makeRedact }: typeof import('../src/platform/input/erased.ts')) =>
    makeRedact('ada@example.com', ['Ada Lovelace']),
  'modules/payouts/bank/read-xml.ts': ({
    attributeOf,
  }: typeof import('../src/modules/payouts/bank/read-xml.ts')) => attributeOf('', 'Ccy'),
  'dashboard/once.ts': ({ idIn }: typeof import('../src/dashboard/once.ts')) => idIn(new Map(), 'prj'),
  'core/merchants/brand/languages.ts': ({
    localeOf,
  }: typeof import('../src/core/merchants/brand/languages.ts')) => localeOf('en-US'),
}

test('so is every one that is put together', async () => {
  const making = files.filter(({ code }) => code.includes('RegExp('))
  assert.deepEqual(making.map(({ path }) => path).toSorted(), Object.keys(makers).toSorted())
  for (const { path, code } of making) {
    const made = await recordPatterns(path)
    const places = code.split('\n').flatMap((line, at) => (line.includes('new RegExp(') ? [at + 1] : []))
    for (const place of places)
      assert.ok(
        made.some(({ line }) => line === place),
        `${path}:${place} is made by what makers says`,
      )
    for (const { pattern, line } of made)
      assert.equal(findAmbiguity(pattern), undefined, `${path}:${line} ${pattern}`)
  }
})

/** The expressions that a file makes while it is loaded once more, and their lines. */
async function recordPatterns(path: string): Promise<{ pattern: RegExp; line: number }[]> {
  const made: { pattern: RegExp; line: number }[] = []
  const real = RegExp
  globalThis.RegExp = new Proxy(real, {
    construct(_, given: [string, string?]) {
      const pattern = new real(...given)
      const line = new Error().stack?.split(`src/${path}?recorded:`)[1]?.split(':')[0]
      if (line !== undefined) made.push({ pattern, line: Number(line) })
      return pattern
    },
  })
  try {
    makers[path]?.((await import(`../src/${path}?recorded`)) as never)
  } finally {
    globalThis.RegExp = real
  }
  return made
}

test('the check finds the three that stopped a server, and what can be slow in other ways', () => {
  const slow = [
    /([^0-9]*)([0-9]+)/g,
    /\s*[\r\n\u2028\u2029]\s*/g,
    /(:\/\/)[^\s"/@]*:[^\s"@]*@/g,
    /^(a+)+$/,
    /^(?:a|ab|b)*c/,
    /a+b|a/g,
    /x+$/,
    /^.*,.*,/,
    /\w+(?=;)/,
    /(?<!\d)\w+;/,
  ]
  for (const pattern of slow) assert.notEqual(findAmbiguity(pattern), undefined, String(pattern))
  const linear = [
    /\s+/g,
    /(?<![^\s"@])[^\s"@]+@/g,
    /^\s*(\d+)\s*$/,
    /^(?:ab|cd)*e/,
    /(?<!x)x+$/,
    /\b\w+;/,
    /^x+$/m,
    /x{1,64}@/,
    /(?:%[89a-f][0-9a-f])+/gi,
    /^(\d\d?)([./-])(\d\d?)\2(\d{4})$/,
  ]
  for (const pattern of linear) assert.equal(findAmbiguity(pattern), undefined, String(pattern))
})
