import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalogue } from '../../src/app/commands/catalogue.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, type House } from '../support/house.ts'
import { runFlorin, runFlorinProcess, type Ended } from '../support/run-florin.ts'

// Other tests run commands in their own process. Here every command runs as a person runs it, too.

let house: House
let settings: Record<string, string>
before(async () => {
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({ settings: { PORT: port, BASE_URL: baseUrl } })
  settings = { BASE_URL: baseUrl, DATABASE_URL: house.databaseUrl, FLORIN_KEY: house.secretKey }
})
after(() => house.close())

/** The exit code that each ends with, and its arguments. serve and worker run in many tests, as processes only. */
const callsOf = ({ merchantId }: House): Readonly<Record<string, readonly [number, ...string[]]>> => ({
  migrate: [0],
  backup: [0, '--noted'],
  restore: [69, '/no-such-file'],
  distribute: [69],
  secrets: [0, 'check'],
  status: [69, '--only', 'database', '--json'],
  merchant: [0, 'list'],
  'sign-in-link': [0, '--email', 'boss@example.com', '--owner-of', String(merchantId)],
  key: [0, 'create', '--kind', 'form', '--hosts', 'shop.example.com', '--signed'],
  form: [64, '--amount', '20.00'],
  connector: [0, 'list', '--json'],
  'webhook-secret': [0, 'show'],
  payments: [0, 'create', '--amount', '20.00', '--json'],
  refund: [0, 'list', '--json'],
  reconcile: [0, '--since', '1d'],
  held: [0, 'list'],
  notifications: [0, 'list', '--json'],
  endpoint: [0, 'list', '--json'],
  totals: [0, 'rebuild'],
  customer: [0, 'export', '--email', 'ada@example.com'],
  audit: [0, '--limit', '1'],
  payouts: [0, 'accounts', '--json'],
  mailbox: [0],
  listen: [64, '--forward-to', 'x'],
  trigger: [0, 'payment.success'],
  doctor: [69, '--plugin', 'http://127.0.0.1:1/callback'],
  demo: [69, 'remove', '--yes'],
  completion: [0, 'zsh'],
})

test('every command gives the same result as a process and inside a test', async () => {
  const calls = callsOf(house)
  const names = catalogue.flatMap(({ commands }) => commands.map(({ name }) => name))
  assert.deepEqual(['serve', 'worker', ...Object.keys(calls)].toSorted(), names.toSorted())
  // One by one: lists show what other commands did.
  for (const [name, [code, ...args]] of Object.entries(calls)) {
    const alone = await runFlorinProcess([name, ...args], settings)
    const here = await runFlorin([name, ...args], settings)
    assert.equal(alone.code, code, `${name}: ${alone.err}`)
    assert.deepEqual(masked(here), masked(alone), name)
  }
})

test('help, version and an unknown command are the same both ways too', async () => {
  const asked = [['--help'], ['--version'], ['help', 'serve'], ['worker', '--help'], ['pay'], ['--pay']]
  for (const args of asked)
    assert.deepEqual(await runFlorin(args), await runFlorinProcess(args), args.join(' '))
})

/** Without what is drawn or counted: keys, ids, times and numbers. */
function masked({ code, out, err }: Ended): Ended {
  const drawn = /(?<=\/(link|payment)\/)[\w-]+|\b[a-z]+_[\w+/=]{16,}|(cli|trigger|doctor)-\w+/g
  const mask = (text: string): string => text.replaceAll(drawn, 'ID').replaceAll(/\d+/g, 'N')
  return { code, out: mask(out), err: mask(err) }
}
