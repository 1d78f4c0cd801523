import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig, settings, withPort } from './config.ts'
import { ConfigMistakes } from './kinds.ts'

const nowhere = '/nonexistent'

test('.env.example lists every setting with its meaning and default, and nothing else', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const blocks = Object.entries(settings).map(([name, setting]) =>
    [
      `# ${setting.meaning}`,
      ...(setting.default === '' ? [`# Example: ${name}=${setting.example}`] : []),
      `#${name}=${setting.default}`,
    ].join('\n'),
  )
  const [, ...listed] = example.trimEnd().split('\n\n')
  assert.deepEqual(listed, blocks)
})

test('docs/settings.md names every setting', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
  assert.deepEqual(
    Object.keys(settings).filter((name) => !page.includes(`\`${name}\``)),
    [],
  )
})

test('every default is valid, and every example, except keys nobody should copy', () => {
  for (const setting of Object.values(settings)) {
    setting.parse(setting.default)
    if (setting.example !== '…') setting.parse(setting.example)
  }
})

test('without settings Florin starts on this machine only', () => {
  const config = readConfig({}, nowhere)
  assert.equal(config.PORT, 3000)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.BASE_URL, 'http://127.0.0.1:3000')
  assert.equal(config.SEO_URL, config.BASE_URL)
  assert.equal(config.DATABASE_URL, '')
  assert.equal(config.DATA_DIR, join(process.cwd(), 'data'))
  assert.deepEqual(config.TRUSTED_PROXIES, [])
})

test('BASE_URL follows HOST and PORT with a URL a browser can open', () => {
  assert.equal(readConfig({ HOST: '0.0.0.0', PORT: '80' }, nowhere).BASE_URL, 'http://127.0.0.1:80')
  assert.equal(readConfig({ HOST: '::1', PORT: '80' }, nowhere).BASE_URL, 'http://[::1]:80')
  assert.equal(
    readConfig({ BASE_URL: 'https://pay.example.com/' }, nowhere).BASE_URL,
    'https://pay.example.com',
  )
})

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ PORT: '', LOG_LEVEL: ' ' }, nowhere).PORT, 3000)
})

test('.env is read, and the environment overrides it', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), '# mine\nPORT=4000\nLOG_LEVEL="debug"\nHOST=0.0.0.0\n')
  const config = readConfig({ PORT: '5000' }, folder)
  assert.equal(config.PORT, 5000)
  assert.equal(config.LOG_LEVEL, 'debug')
  assert.equal(config.HOST, '0.0.0.0')
})

test('a secret is read from its _FILE, unless it is set itself', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'database_url')
  writeFileSync(path, 'postgres://florin:secret@db.example.com/florin\n')
  const read = (given: Record<string, string>) => readConfig(given, folder)
  assert.equal(
    read({ DATABASE_URL_FILE: path }).DATABASE_URL,
    'postgres://florin:secret@db.example.com/florin',
  )
  const own = 'postgres://own@localhost/own'
  assert.equal(read({ DATABASE_URL_FILE: path, DATABASE_URL: own }).DATABASE_URL, own)
  assert.throws(
    () => read({ SMTP_URL_FILE: join(folder, 'nothing') }),
    (error) => {
      assert.ok(error instanceof ConfigMistakes)
      assert.match(error.message, /^SMTP_URL can't be read from .*nothing \(ENOENT\)/)
      return true
    },
  )
  writeFileSync(path, 'mysql://florin:hidden@db.example.com/florin')
  assert.throws(
    () => read({ DATABASE_URL_FILE: path }),
    (error) => {
      assert.ok(error instanceof ConfigMistakes)
      assert.doesNotMatch(error.message, /hidden/)
      return true
    },
  )
})

test('a malformed line in .env is a mistake, and an unknown name is reported', (t) => {
  const folder = temporaryFolder(t)
  const write = (text: string): void => writeFileSync(join(folder, '.env'), text)
  const told: string[] = []
  const read = (): number => readConfig({}, folder, (line) => told.push(line)).PORT

  write('# a "comment\n\nexport PORT=4000 # mine\r\nNOTE="two\nlines" # too\nPROT=4001\n')
  assert.equal(read(), 4000)
  const odd = ['NOTE', 'PROT'].map((name) => `${name} in .env is not a setting of Florin: see .env.example`)
  assert.deepEqual(told, odd)

  write('PORT=4000\nNOTE="two\nlines"\nDATABASE_URL postgres://florin:hunter2@db/florin\nnonsense\n')
  assert.throws(read, (error: ConfigMistakes) => {
    const example = 'is not NAME=value. Example: PORT=3000'
    assert.deepEqual(error.lines, [`Line 4 of .env ${example}`, `Line 5 of .env ${example}`])
    return error instanceof ConfigMistakes
  })
})

test('a folder called .env is a mistake, not a stack trace', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, '.env'))
  assert.throws(() => readConfig({}, folder), /\.env can't be read: it is a directory\./)
})

test('only addresses and ranges the server can parse are trusted', () => {
  const read = (TRUSTED_PROXIES: string): unknown => readConfig({ TRUSTED_PROXIES }, nowhere).TRUSTED_PROXIES
  assert.deepEqual(read('10.0.0.0/8, ::1,fd00::/8'), ['10.0.0.0/8', '::1', 'fd00::/8'])
  for (const odd of ['999.1.1.1', '10.0.0.0/99', '10.1', '0.0.0.0/0', '::1/129', '10.0.0.0/']) {
    const [line = ''] = mistakes({ TRUSTED_PROXIES: `127.0.0.1,${odd}` })
    assert.ok(line.includes(`but is "127.0.0.1,${odd}"`), odd)
  }
})

test('the chosen port appears in URLs made from PORT=0', () => {
  const chosen = withPort(readConfig({ PORT: '0' }, nowhere), 4321)
  assert.deepEqual(
    [chosen.PORT, chosen.BASE_URL, chosen.SEO_URL],
    [4321, 'http://127.0.0.1:4321', 'http://127.0.0.1:4321'],
  )
  const behind = withPort(readConfig({ PORT: '0', BASE_URL: 'https://pay.example.com' }, nowhere), 4321)
  assert.equal(behind.BASE_URL, 'https://pay.example.com')
})

test('all mistakes are reported together, each with the variable, the problem and an example', () => {
  assert.deepEqual(
    mistakes({ PORT: '70000', LOG_LEVEL: 'loud', BASE_URL: 'pay.example.com', TRUSTED_PROXIES: 'me' }),
    [
      'PORT must be a whole number from 0 to 65535, but is "70000". Example: PORT=3000',
      'BASE_URL must be a URL that starts with http:// or https://, but is "pay.example.com". Example: BASE_URL=https://pay.example.com',
      'TRUSTED_PROXIES must be addresses or CIDR ranges separated by commas, but is "me". Example: TRUSTED_PROXIES=10.0.0.0/8,192.168.1.5',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but is "loud". Example: LOG_LEVEL=info',
    ],
  )
})

test('malformed numbers are rejected', () => {
  for (const PORT of ['3000.5', '-1', '1e3', '0x50', '3000 ports', '９０'])
    assert.equal(mistakes({ PORT }).length, 1, PORT)
})

test('URLs that would make broken links are mistakes', () => {
  const addresses = [
    'https:pay.example.com',
    'https://pay.example.com?a=1',
    'https://pay.example.com/#a',
    'https://u:p@pay.example.com',
  ]
  for (const BASE_URL of addresses) assert.equal(mistakes({ BASE_URL }).length, 1, BASE_URL)
  for (const DATABASE_URL of ['mysql://db/florin', 'postgres:florin', 'db.example.com']) {
    assert.equal(mistakes({ DATABASE_URL }).length, 1, DATABASE_URL)
  }
})

test('a database can be reached by its socket, in every form psql and pg accept', () => {
  for (const DATABASE_URL of [
    'postgresql:///florin?host=/var/run/postgresql',
    'postgresql://florin@/florin?host=/var/run/postgresql',
    'postgres://florin:p%40ss@/florin?host=/var/run/postgresql&port=5433',
    'postgresql://florin@localhost/florin?host=/var/run/postgresql',
    'postgresql://%2Fvar%2Frun%2Fpostgresql/florin',
  ]) {
    assert.equal(readConfig({ DATABASE_URL }, '/nonexistent').DATABASE_URL, DATABASE_URL)
  }
})

test('an unreadable URL with the right start isn’t told how to start', () => {
  const urls = {
    DATABASE_URL: ['postgres://:5433/florin', 'postgres://florin:a/b@db/florin', 'postgres://db:port/florin'],
    SMTP_URL: ['smtp://user@/'],
    BASE_URL: ['https://pay.example.com:99999'],
  }
  for (const [name, values] of Object.entries(urls)) {
    for (const value of values) {
      const [line = ''] = mistakes({ [name]: value })
      assert.ok(line.startsWith(`${name} must be a URL whose host, port and password can be read, but`), line)
    }
  }
})

test('a password in a URL is never printed, however malformed the URL is', () => {
  const urls = [
    'mysql://florin:hunter2@db/florin',
    'mysql://florin:hunt/hunter2@db/florin',
    'mysql://florin:p@hunter2@db/florin',
    'florin:hunter2@db/florin',
    'mysql://db/florin?password=hunter2&user=a',
    'postgres://florin:hunt/hunter2@db/florin',
  ]
  for (const DATABASE_URL of urls) {
    const [line = ''] = mistakes({ DATABASE_URL })
    assert.match(line, /^DATABASE_URL must be a URL/)
    assert.doesNotMatch(line, /hunter2/)
  }
})

test('a start with mistakes prints them all and exits with 78', (t) => {
  const program = fileURLToPath(new URL('../../florin.ts', import.meta.url))
  const ended = spawnSync(process.execPath, [program, 'serve'], {
    cwd: temporaryFolder(t),
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], PORT: 'http', METRICS: 'maybe' },
    encoding: 'utf8',
  })
  assert.equal(ended.status, 78)
  assert.equal(ended.stdout, '')
  assert.deepEqual(ended.stderr.trimEnd().split('\n'), [
    'PORT must be a whole number from 0 to 65535, but is "http". Example: PORT=3000',
    'METRICS must be one of on, off, but is "maybe". Example: METRICS=on',
  ])
})

function mistakes(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment, nowhere)
  } catch (error) {
    if (error instanceof ConfigMistakes) return error.lines
    throw error
  }
  return []
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-config-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
