import assert from 'node:assert/strict'
import { hostname, userInfo } from 'node:os'
import { after, before, test } from 'node:test'
import type { EntryRow } from '../../src/core/audit/list-audit.ts'
import { openHouse, type House } from '../support/house.ts'
import { runFlorin } from '../support/run-florin.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

test('florin audit lists entries newest first, by merchant, kind, subject and time, and names the command line as actor', async () => {
  const settings = { DATABASE_URL: house.databaseUrl, ALLOW_UNSAFE_DATABASE: 'on' }
  const florin = async (...args: string[]) => runFlorin(args, settings)
  const number = (
    await florin('merchant', 'create', '--name', 'By hand', '--email', 'shop@example.com')
  ).out.trim()
  const { id } = JSON.parse((await florin('key', 'create', '--merchant', number, '--json')).out) as {
    id: string
  }
  await florin('merchant', 'set', number, '--form-secret-keys', 'off', '--currency', 'EUR')
  await florin('key', 'revoke', id, '--merchant', number)

  const list = async (...args: string[]) =>
    JSON.parse((await florin('audit', '--json', ...args)).out) as (EntryRow & { before: unknown })[]
  const mine = await list('--merchant', number)
  assert.deepEqual(
    mine.map(({ action }) => action),
    ['key.revoked', 'merchant.currency_enabled', 'merchant.changed', 'key.created', 'merchant.created'],
  )
  assert.deepEqual(
    new Set(mine.map(({ actor_kind, actor }) => `${actor_kind} ${actor}`)),
    new Set([`command_line ${userInfo().username}@${hostname()}`]),
  )
  assert.deepEqual(
    (await list('--limit', '5')).map((one) => one.id),
    mine.map((one) => one.id),
  )
  assert.deepEqual(
    (await list('--what', 'key', '--on', id)).map(({ action }) => action),
    ['key.revoked', 'key.created'],
  )
  assert.deepEqual(await list('--until', '1h'), [])
  assert.deepEqual(await list('--merchant', '0'), [])

  const { out } = await florin('audit', '--merchant', number)
  assert.match(out, /^\S+Z  \d{8}  \S+@\S+ +key\.revoked +key_\w+ +hint=sk_test_….{4}$/m)
  assert.match(out, /merchant\.changed .*=true→false$/m)
  for (const args of [
    ['--what', 'coffee'],
    ['--merchant', '12'],
    ['--limit', '0'],
    ['--since', 'noon'],
  ])
    assert.equal((await florin('audit', ...args)).code, 64, args.join(' '))
})
