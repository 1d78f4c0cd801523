import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { readKey } from '../../src/core/merchants/key-format.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createEmptyDatabase } from '../support/empty-database.ts'
import { runFlorin, runFlorinProcess, type Ended } from '../support/run-florin.ts'
import { twoAtOnce } from '../support/two-at-once.ts'

const formKey = ['key', 'create', '--kind', 'form', '--hosts', 'a.example.com', '--currency', 'GBP']
let home: TestDatabase

before(async () => {
  home = await createTestDatabase()
})
after(() => home.drop())

const asked = (): string => {
  const { pathname, host } = new URL(home.url)
  return ` (asked the database ${pathname.slice(1)} at ${host})`
}
const florin = async (...args: string[]): Promise<Ended> => runFlorin(args, { DATABASE_URL: home.url })

test('an unknown command or option exits with 64 and one line that says what to do', async () => {
  const cases: [string[], RegExp][] = [
    [['pay'], /^Unknown command "pay"\. Try: florin --help$/],
    [['pyments'], /^Unknown command "pyments"\. Did you mean florin payments\? Try: florin --help$/],
    [
      ['key', 'create', '--nam', 'x'],
      /^Unknown option '--nam' \(did you mean --name\?\)\. Try: florin key --help$/,
    ],
    [['constructor'], /^Unknown command "constructor"/],
    [['key'], /^Name a subcommand: florin key create, list, roll or revoke$/],
    [['key', 'create', 'form'], /^"form" is an unexpected argument/],
    [['key', 'create', '--kind', 'gold'], /^--kind must be one of secret, form, api, but is "gold"$/],
    [['key', 'create', '--kind', 'form'], /^A form key needs --hosts/],
    ...['localhost:8080', 'https://shop.example.com', '*.example.com'].map((host): [string[], RegExp] => [
      ['key', 'create', '--kind', 'form', '--hosts', `shop.example.com,${host}`],
      new RegExp(
        `^--hosts must be host names such as shop.example.com: .*, but one is "${RegExp.escape(host)}"$`,
      ),
    ]),
    [['key', 'create', '--colour', 'red'], /^Unknown option '--colour'\. Try: florin key --help$/],
    [['key', 'create', '--merchant', '99999999999'], /^--merchant must be the merchant's 8-digit number/],
    [['key', 'create', '--name', '--json'], /^--name needs a value\. Try: florin key --help$/],
    [['key', 'create', '--name', ''], /^--name must be 1 to 100 characters/],
    [['key', 'create', '--name', 'a\tb\nc'], /^--name must be .+ without line breaks and tabs$/],
    [['key', 'create', '--hosts', 'a.example.com'], /^--hosts is for form keys: add --kind form$/],
    [['key', 'create', '--signed'], /^--signed is for form keys: add --kind form$/],
    [[...formKey, '--signed', '--allow-title'], /^--allow-title is for forms that are not signed/],
    [[...formKey, '--tx-ref-prefix', ' web'], /^--tx-ref-prefix must be 1 to 100 characters/],
    [[...formKey, '--callback-hosts', 'https://a'], /^--callback-hosts must be host names/],
    [['key', 'create', '--kind', 'api', '--max', '5'], /^--max is for form keys: add --kind form$/],
    [['key', 'create', '--kind', 'api', '--mode', 'live'], /^--mode is for secret and form keys/],
    [['key', 'create', '--kind', 'api', '--dialect', 'family'], /^--dialect is for secret and form keys/],
    [['key', 'create', '--dialect', 'chapa'], /^--dialect must be one of florin, family, but is "chapa"$/],
    [[...formKey, '--min', '5', '--max', '1'], /^--min must not be more than --max$/],
    [['key', 'roll', 'key_1', '--overlap', '99'], /^--overlap must be 0 to 72 hours, but is "99"$/],
    [['key', 'revoke'], /^Give the id of the key/],
    [['merchant', 'set', '12', '--currency', 'EUR'], /^Give the merchant's 8-digit number/],
    [['merchant', 'set', '12345678'], /^Name a setting to change, such as --name, /],
    [['merchant', 'set', '12345678', '--email', 'bad'], /^email must be one e-mail address$/],
    [['merchant', 'create', '--name', 'a\u0007b'], /^--name must be /],
    [['merchant', 'create', '--name', 'A', '--email', 'bad'], /^email must be one e-mail address$/],
    [['merchant', 'create', '--name', 'A', '--currency', 'QQQ'], /^--currency: QQQ is not a currency$/],
    [['migrate', '--now'], /^Unknown option '--now'\. Try: florin migrate --help$/],
  ]
  await twoAtOnce(cases, async ([args, line]) => {
    const { code, out, err } = await florin(...args)
    assert.deepEqual([code, out], [64, ''], args.join(' '))
    assert.match(err.trimEnd(), line)
  })
})

test('a merchant and its keys can be managed from start to end by a program', async () => {
  assert.match((await florin('key', 'create')).err, /^No merchants yet: florin merchant create/)

  const created = await florin('merchant', 'create', '--name', 'Corner shop', '--currency', 'eur', '--json')
  const { merchant, name } = JSON.parse(created.out) as { merchant: number; name: string }
  assert.deepEqual([created.code, name], [0, 'Corner shop'])

  const plain = await florin('key', 'create')
  assert.match(plain.out, /^sk_test_\w{38}\n$/, 'just the key')
  assert.equal(plain.err, '')
  assert.deepEqual(readKey(plain.out.trim()), { kind: 'secret', mode: 'test', merchantId: merchant })
  const launched = await runFlorinProcess(
    ['key', 'create', '--kind', 'api'],
    { DATABASE_URL: home.url },
    { launcher: true },
  )
  assert.match(launched.out, /^ak_\w{38}\n$/)

  const made = await florin('key', 'create', '--mode', 'live', '--name', 'till', '--json')
  const first = JSON.parse(made.out) as { id: string; key: string }
  assert.deepEqual(Object.keys(first).toSorted(), ['id', 'key'])
  const rolled = await florin('key', 'roll', first.id, '--overlap', '1', '--json')
  const second = JSON.parse(rolled.out) as { id: string; key: string }
  assert.equal(readKey(second.key)?.mode, 'live')
  const said = `Key ${second.id} is revoked\n`
  assert.deepEqual(await florin('key', 'revoke', second.id), { code: 0, out: said, err: '' })
  for (const verb of ['revoke', 'roll']) {
    const again = await florin('key', verb, second.id)
    assert.deepEqual(again, { code: 69, out: '', err: `This key is already revoked${asked()}\n` })
  }
  assert.equal((await florin('key', 'revoke', 'key_1')).err, `Key not found${asked()}\n`)

  const listed = JSON.parse((await florin('key', 'list', '--json')).out) as Record<string, unknown>[]
  assert.equal(listed.length, 4)
  const fields = [
    'id',
    'kind',
    'mode',
    'hint',
    'name',
    'created_at',
    'last_used_at',
    'ends_at',
    'revoked_at',
    'exposed_at',
    'may_refund',
    'dialect',
    'form',
  ]
  for (const key of listed) assert.deepEqual(Object.keys(key), fields)
  const find = (id: string): Record<string, unknown> | undefined => listed.find((key) => key['id'] === id)
  assert.notEqual(find(first.id)?.['ends_at'], null)
  assert.notEqual(find(second.id)?.['revoked_at'], null)
  const table = (await florin('key', 'list')).out
  assert.equal(table.trimEnd().split('\n').length, 4)
  assert.match(table, /ends in 60 min  never\n/)
  assert.equal(table.includes(plain.out.trim()), false, 'a key is shown once')
})

test('with several merchants a command lists them, and asks for one at a terminal', async () => {
  const own = await createTestDatabase()
  const settings = { DATABASE_URL: own.url }
  const db = new Database(own.url)
  const one = await createMerchant(db, { name: 'One' })
  const two = await createMerchant(db, { name: 'Two' })
  await db.close()
  const unclear = await runFlorin(['key', 'create'], settings)
  assert.equal(unclear.code, 64)
  const listed = `There are several merchants:\n  ${one}  One\n  ${two}  Two\n`
  assert.ok(unclear.err.startsWith(`${listed}Choose one with --merchant NUMBER (asked `), unclear.err)
  const chosen = await runFlorin(['key', 'create'], settings, { typed: `${two}\n` })
  assert.equal(readKey(chosen.out.trim())?.merchantId, two)
  assert.ok(chosen.err.startsWith(listed) && chosen.err.includes('Number of the merchant: '), chosen.err)
  for (const [typed, code] of [
    ['2\n', 64],
    ['\n', 130],
    ['\u0003', 130],
  ] as const) {
    const none = await runFlorin(['key', 'create'], settings, { typed })
    assert.deepEqual([none.code, none.out], [code, ''])
  }
  const told = await runFlorin(['key', 'create', '--merchant', String(two)], settings)
  assert.equal(readKey(told.out.trim())?.merchantId, two)
  for (const args of [
    ['key', 'list'],
    ['webhook-secret', 'show'],
    ['notifications', 'paused'],
  ]) {
    const unknown = await runFlorin([...args, '--merchant', '10000000'], settings)
    assert.equal(unknown.code, 69)
    assert.match(unknown.err, /^Merchant not found \(asked the database \S+ at \S+\)\n$/)
  }

  const set = await runFlorin(['merchant', 'set', String(one), '--currency', 'eur,usd'], settings)
  assert.deepEqual(set, { code: 0, out: `Merchant ${one} is now: test only; EUR, USD on\n`, err: '' })
  const list = JSON.parse((await runFlorin(['merchant', 'list', '--json'], settings)).out) as Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    list.map((merchant) => [merchant['merchant'], merchant['name'], merchant['live_enabled']]),
    [
      [one, 'One', false],
      [two, 'Two', false],
    ],
  )
  await own.drop()
})

test('migrate lists what ran; before it, commands say that it is missing', async () => {
  const empty = await createEmptyDatabase()
  const settings = { DATABASE_URL: empty.url }
  for (const args of [['key', 'list'], ['worker']]) {
    const { code, out, err } = await runFlorin(args, settings)
    assert.deepEqual([code, out], [69, ''])
    assert.match(err, /^The database schema does not match this version\. Run florin migrate first\./)
  }
  const first = await runFlorin(['migrate', '--json'], settings)
  const { ran } = JSON.parse(first.out) as { ran: string[] }
  assert.equal(ran[0], '0001_merchants')
  assert.deepEqual(JSON.parse((await runFlorin(['migrate', '--json'], settings)).out), { ran: [] })
  assert.equal((await runFlorin(['migrate'], settings)).out, 'The database is up to date\n')
  await empty.drop()
})

test('an unusable database is one line, not a stack trace, and never its password', async () => {
  const wrong = new URL(home.url)
  wrong.password = 'hunter2'
  const missing = new URL(home.url)
  missing.pathname = '/no_such_database'
  const withoutTls = new URL(home.url)
  withoutTls.searchParams.set('sslmode', 'require')
  const away = 'postgres://florin:hunter2@localhost:1/florin'
  const cases: [string, string[]][] = [
    [wrong.href, ['key', 'list']],
    [missing.href, ['serve']],
    [away, ['key', 'list']],
    [away, ['serve']],
    [withoutTls.href, ['serve']],
  ]
  await twoAtOnce(cases, async ([url, args]) => {
    const { code, out, err } = await runFlorin(args, { DATABASE_URL: url })
    assert.deepEqual([code, out], [69, ''])
    const { pathname, host } = new URL(url)
    const start = `The database ${pathname.slice(1)} at ${host} can't be used: `
    assert.ok(err.startsWith(start), err)
    assert.match(err, /\. Check DATABASE_URL\.\n$/)
    assert.doesNotMatch(err, /hunter2|undefined/)
  })
})

test('a database URL without a host works, as with a socket', async () => {
  const { username, password, port, pathname } = new URL(home.url)
  const db = new Database(home.url)
  const [row] = await db.query<{ folder: string }>(
    sql`select current_setting('unix_socket_directories') as folder`,
  )
  await db.close()
  // A folder with a long name has no socket.
  const host = encodeURIComponent(row?.folder || '127.0.0.1')
  const url = `postgresql://${username}:${password}@${pathname}?host=${host}&port=${port}`
  assert.equal((await runFlorin(['merchant', 'list', '--json'], { DATABASE_URL: url })).err, '')
})
