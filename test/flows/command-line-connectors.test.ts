import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStripe, type StripeStandIn } from '../support/networks/stripe.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { testSecretsKey } from '../support/secrets.ts'
import { twoAtOnce } from '../support/two-at-once.ts'

// Accounts at networks, from the first to the last, as an operator connects them. The stand-in is Stripe on this machine.

// Assembled here, so that no scanner of the repository takes it for a real one.
const liveKey = `sk_live_${'A1b2C3d4'.repeat(3)}`
const sandboxKey = `sk_test_${'A1b2C3d4'.repeat(3)}`

let home: TestDatabase
let db: Database
let stripe: StripeStandIn
let sandbox: StripeStandIn
let folder: string
let merchant: number
let settings: Record<string, string>

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  stripe = await startStripe({ secretKey: liveKey })
  sandbox = await startStripe({ secretKey: sandboxKey })
  folder = mkdtempSync(join(tmpdir(), 'florin-connectors-'))
  merchant = await createMerchant(db, { name: 'Corner shop' })
  settings = {
    DATABASE_URL: home.url,
    SECRETS_KEY: testSecretsKey,
    STRIPE_URL: stripe.url,
    BASE_URL: 'https://pay.example.com',
  }
})

after(async () => {
  await stripe.close()
  await sandbox.close()
  await db.close()
  await home.drop()
  rmSync(folder, { recursive: true })
})

function file(content: string): string {
  const path = join(folder, 'credentials')
  writeFileSync(path, content)
  return path
}

const said: string[] = []
async function florin(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const ended = await runFlorin(args, { ...settings, ...more })
  said.push(ended.out, ended.err)
  return ended
}

test('credentials that the network refuses or that can’t be tried are not stored', async () => {
  const wrong = await florin(['connector', 'add', 'stripe', '--file', file('{"secret_key":"sk_live_wrong"}')])
  assert.deepEqual([wrong.code, wrong.out], [69, ''])
  assert.match(wrong.err, /^Stripe rejected these credentials: .+\. Nothing was stored\./)
  void stripe.turn({ kind: 'cuts', when: 'before' })
  const silent = await florin(['connector', 'add', 'stripe', '--file', file(`secret_key=${liveKey}`)])
  assert.equal(silent.code, 69)
  assert.match(silent.err, /^No answer from Stripe: connection_reset\. Nothing was stored\./)
  assert.deepEqual(await florin(['connector', 'list', '--json']), { code: 0, out: '[]\n', err: '' })
})

test('mistakes on the command line and in the file are reported, without repeating a possible secret', async () => {
  const cases: [string[], RegExp][] = [
    [['connector'], /^Name a subcommand: florin connector add, list, test, change or remove/],
    [['connector', 'add'], /^Name a network: stripe or gocardless/],
    [['connector', 'add', liveKey], /^Name a network/],
    [['connector', 'add', 'stripe', liveKey], /^Don.t pass credentials as arguments/],
    [['connector', 'add', 'stripe', '--file', liveKey], /^The --file file can't be read \(ENOENT\)/],
    [['connector', 'add', 'stripe', '--secret-key', liveKey], /^Unknown option '--secret-key'/],
    [
      ['connector', 'add', 'stripe'],
      /^There is no terminal to ask for credentials: use --file with secret_key, webhook_secret/,
    ],
    [
      ['connector', 'add', 'stripe', '--file', file(liveKey)],
      /^The --file file must have lines of name=value/,
    ],
    [['connector', 'change', liveKey], /^Give the id of the account/],
    [
      ['connector', 'add', 'stripe', '--merchant', '12345678', '--installation', '--file', 'x'],
      /^Use --merchant or --installation, not both/,
    ],
  ]
  await twoAtOnce(cases, async ([args, line]) => {
    const { code, out, err } = await florin(args)
    assert.deepEqual([code, out], [64, ''], args.join(' '))
    assert.match(err, line)
  })
  const contents: [string, RegExp][] = [
    ['{"secret_key":', /is not valid JSON/],
    ['{"secret_key":5}', /^secret_key in the --file file must be text/],
    [`{"secret":"${liveKey}"}`, /has an unknown name: Stripe takes secret_key, webhook_secret/],
    [`secret_key=${liveKey} ${liveKey}`, /^secret_key must be one word/],
    ['webhook_secret=whsec_1', /^Stripe needs secret_key \(Secret key\)/],
  ]
  for (const [content, line] of contents) {
    const { code, err } = await florin(['connector', 'add', 'stripe', '--file', file(content)])
    assert.equal(code, 64, content)
    assert.match(err, line)
  }
})

let id: string

test('an account is tried, stored and listed, and its callbacks are set up at the network', async () => {
  const added = await florin([
    'connector',
    'add',
    'stripe',
    '--file',
    file(`# of the shop\nsecret_key = "${liveKey}"`),
  ])
  assert.equal(added.code, 0, added.err)
  assert.match(added.out, /^acc_\w{16}\n$/)
  id = added.out.trim()
  assert.match(
    added.err,
    /^Stripe works: .+, live; callbacks are not set up\. It is acc_\w+ of merchant \d{8}\.\n/,
  )
  assert.match(added.err, /Later: florin connector test acc_\w+ --set-up-callbacks\n$/)

  const again = await florin(['connector', 'add', 'stripe', '--file', file(`secret_key=${liveKey}`)])
  assert.equal(again.code, 69)
  assert.match(again.err, new RegExp(`^merchant ${merchant} already has an account at Stripe: ${id}`))

  const tested = await florin(['connector', 'test', '--set-up-callbacks'])
  assert.equal(tested.code, 0, tested.err)
  assert.match(
    tested.out,
    new RegExp(`^${id} of merchant ${merchant}: Stripe works: .+, live; callbacks are not set up\\.\\n$`),
  )
  assert.match(tested.err, /^Stripe works: .+, live; callbacks are set up\.\n$/)
  assert.ok(
    stripe.requests.some(({ text }) => text.includes(encodeURIComponent(`/callbacks/stripe/${merchant}`))),
  )

  const [listed] = JSON.parse((await florin(['connector', 'list', '--json'])).out) as Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    [
      listed?.['id'],
      listed?.['merchant'],
      listed?.['sandbox'],
      listed?.['callbacks'],
      listed?.['removed_at'],
    ],
    [id, merchant, false, 'set_up', null],
  )
  const table = (await florin(['connector', 'list'])).out
  assert.match(table, new RegExp(`^${id}  ${merchant}  stripe  live  set up  \\S.*\\n$`))
})

test('a network that refuses later is reported by test, with code 69', async () => {
  const { code, out } = await florin(['connector', 'test', id, '--json'], { STRIPE_URL: sandbox.url })
  assert.equal(code, 69)
  const [answer] = JSON.parse(out) as Record<string, unknown>[]
  assert.deepEqual([answer?.['id'], answer?.['works']], [id, false])
  assert.match((await florin(['connector', 'test', 'acc_0000000000000000'])).err, /^Account not found/)
})

test('a sandbox account is marked as one everywhere, also for the whole installation', async () => {
  const args = [
    'connector',
    'add',
    'stripe',
    '--installation',
    '--file',
    file(`{"secret_key":"${sandboxKey}"}`),
  ]
  const added = await florin([...args, '--json'], { STRIPE_URL: sandbox.url })
  assert.equal(added.code, 0, added.err)
  assert.match(added.err, /^Stripe works: .+, sandbox, no real money; .+ It is acc_\w+ of the installation\./)
  const shown = JSON.parse(added.out) as Record<string, unknown>
  assert.deepEqual([shown['works'], shown['sandbox']], [true, true])
  assert.match(
    (await florin(['connector', 'list'])).out,
    /^acc_\w+ +installation +stripe +sandbox +not set up/m,
  )
  const taken = await florin(['connector', 'remove', String(shown['id'])])
  assert.deepEqual([taken.code, /Add --yes/.test(taken.err)], [64, true])
  assert.equal((await florin(['connector', 'remove', String(shown['id']), '--yes'])).code, 0)
})

test('new credentials update the same account, and those of another account are refused', async () => {
  const other = file(`{"secret_key":"${sandboxKey}"}`)
  const refused = await florin(['connector', 'change', id, '--file', other], { STRIPE_URL: sandbox.url })
  assert.equal(refused.code, 69)
  assert.match(refused.err, /^These credentials belong to another account, .+ Nothing was stored\./)
  const changed = await florin(['connector', 'change', id, '--file', file(`secret_key=${liveKey}`)])
  assert.deepEqual([changed.code, changed.out], [0, `${id}\n`])
  assert.match(changed.err, /callbacks are set up\.\n$/, 'what the file does not name stays')
})

test('a merchant goes live when everything is ready, and otherwise sees what is missing and what to do', async () => {
  const on = ['merchant', 'live', 'on', '--merchant', String(merchant)]
  const bare = { BASE_URL: 'http://127.0.0.1:3000', STRIPE_URL: sandbox.url }
  const refused = await florin(on, bare)
  assert.equal(refused.code, 69)
  assert.match(refused.err, new RegExp(`^Merchant ${merchant} was not switched on: 4 steps are missing`))
  for (const line of [
    /^missing {2}Stripe rejected these credentials: .+\.\n {9}to do: florin connector change acc_/m,
    /^missing {2}BASE_URL is http:\/\/127\.0\.0\.1:3000: without https, .+\n {9}to do: put Florin behind an https proxy/m,
    /^missing {2}SMTP_URL is not set/m,
    /^missing {2}This PostgreSQL may lose acknowledged payments: fsync off\./m,
  ])
    assert.match(refused.out, line)
  assert.equal(await isLive(), false)
  const forced = await florin([...on, '--force'], {
    ALLOW_UNSAFE_DATABASE: 'on',
    BASE_URL: 'http://pay.example.com',
  })
  assert.equal(forced.code, 69, 'real money and no https: not even so')
  assert.equal(await isLive(), false)

  // The database of the tests may forget a commit, so live payments have to be allowed on it.
  const all = { ALLOW_UNSAFE_DATABASE: 'on', SMTP_URL: 'smtp://127.0.0.1:2525' }
  const done = await florin(on, all)
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.match(
    done.out,
    new RegExp(`^ok {7}Stripe works: .+\\n[^]*\\nMerchant ${merchant} takes live payments\\.\\n$`),
  )
  assert.equal(await isLive(), true)
  const off = await florin(['merchant', 'live', 'off', '--json'])
  assert.deepEqual(off, { code: 0, out: `${JSON.stringify({ merchant, live: false })}\n`, err: '' })
  assert.equal(await isLive(), false)
})

test('--force skips optional requirements, as for a trial with a sandbox on this machine', async () => {
  assert.equal((await florin(['connector', 'remove', id, '--yes'])).code, 0)
  const local = { STRIPE_URL: sandbox.url, BASE_URL: 'http://127.0.0.1:3000', ALLOW_UNSAFE_DATABASE: 'on' }
  const nothing = await florin(['merchant', 'live', 'on', '--force'], local)
  assert.equal(nothing.code, 69)
  assert.match(
    nothing.out,
    /^missing {2}No network is connected\.\n {9}to do: florin connector add, with stripe or gocardless/m,
  )
  const add = ['connector', 'add', 'stripe', '--file', file(`secret_key=${sandboxKey}`)]
  assert.match((await florin(add, local)).err, /Callbacks need an https BASE_URL that Stripe can reach/)
  const careful = await florin(['merchant', 'live', 'on', '--json'], local)
  assert.equal(careful.code, 69)
  assert.match(careful.err, /4 steps are missing; --force switches it on anyway\./)
  const { checks } = JSON.parse(careful.out) as { checks: { is: string; what: string }[] }
  assert.ok(
    checks.some(({ is, what }) => is === 'missing' && what.endsWith('is a sandbox: no real money moves.')),
  )
  const trial = await florin(['merchant', 'live', 'on', '--force'], local)
  assert.equal(trial.code, 0, trial.err)
  assert.match(trial.out, /^skipped {2}.+ is a sandbox: no real money moves\./m)
  assert.equal(await isLive(), true)
})

test('adding, changing and removing accounts is audited, with only the names of credentials', async () => {
  const { out } = await florin(['audit', '--merchant', String(merchant), '--json'])
  const acts = (JSON.parse(out) as { action: string; subject: string }[]).filter(({ action }) =>
    action.startsWith('account.'),
  )
  const ofFirst = acts.filter(({ subject }) => subject === id).map(({ action }) => action)
  assert.deepEqual(ofFirst.toReversed(), [
    'account.added',
    'account.changed',
    'account.changed',
    'account.removed',
  ])
})

test('no secret was printed, and the database holds none', async () => {
  const rows = await db.query<{ row: string }>(sql`
    select connector_accounts::text as row from connector_accounts where merchant_id = ${merchant}`)
  assert.ok(rows.length >= 2)
  const stored = rows.map(({ row }) => row).join('\n')
  for (const secret of [liveKey, sandboxKey])
    for (const place of [...said, stored, Buffer.from(stored).toString('hex')])
      assert.ok(!place.includes(secret) && !place.includes(Buffer.from(secret).toString('hex')))
})

async function isLive(): Promise<boolean | undefined> {
  const rows = await db.query<{ live_enabled: boolean }>(sql`
    select live_enabled from merchants where id = ${merchant}`)
  return rows[0]?.live_enabled
}
