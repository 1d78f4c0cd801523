import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { openHouse, testConfig, type House } from '../../../test/support/house.ts'
import { sql } from '../../platform/database/sql.ts'
import { print, printLine } from '../../cli/terminal/print.ts'
import { withStandard } from '../../cli/terminal/standard.ts'
import { welcome } from './welcome.ts'

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

const trial = { HOST: '127.0.0.1', BASE_URL: 'http://127.0.0.1:3000' }
const secrets = /sk_test_|ak_|whsec_|\/dashboard\/(link|sign-up)\//

/** What a first start with these settings prints, and how many keys it makes. */
async function start(
  settings: Record<string, string>,
  isTTY: boolean,
): Promise<{ out: string; keys: number }> {
  let out = ''
  const write = (part: Buffer, _encoding: string, done: () => void): void => {
    out += part.toString()
    done()
  }
  const stdout = Object.assign(new Writable({ write }), { isTTY })
  const streams = { stdin: Readable.from([]), stdout, stderr: stdout }
  const keysBefore = await countKeys()
  await withStandard(streams, async () =>
    welcome(testConfig({ ...trial, ...settings }), house.app, { done: print, progress: printLine }),
  )
  return { out, keys: (await countKeys()) - keysBefore }
}

async function countKeys(): Promise<number> {
  return (await house.db.query(sql`select id from keys`)).length
}

test('a trial on loopback prints its keys to a pipe, where programs read them', async () => {
  const { out, keys } = await start({}, false)
  for (const shown of [
    /Secret key +sk_test_/,
    /API key +ak_/,
    /Webhook secret +whsec_/,
    /\/dashboard\/link\//,
  ])
    assert.match(out, shown)
  assert.equal(keys, 2)
})

test('an installation that others can reach prints its keys only to a terminal', async () => {
  for (const settings of [{ HOST: '0.0.0.0' }, { BASE_URL: 'https://pay.example.com' }]) {
    assert.match((await start(settings, true)).out, secrets)
    const { out, keys } = await start(settings, false)
    assert.doesNotMatch(out, secrets)
    assert.match(out, /^First start.*bin\/florin sign-in-link, bin\/florin key create.*\n$/)
    assert.equal(keys, 0, 'a key that nobody has seen is not made')
  }
})
