import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  moment,
  neighbour,
  openNotificationRows,
  own,
  plainSecret,
  secret,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { bySystem } from '../../audit/audit.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { makeOpenStored } from './stored-secret.ts'
import {
  drawnWebhookSecrets,
  rollWebhookSecret,
  showWebhookSecrets,
  webhookSecrets,
} from './webhook-secrets.ts'

let rows: NotificationRows
let keeping: { readonly db: Database; readonly secrets: Secrets }
before(async () => {
  rows = await openNotificationRows()
  keeping = { db: rows.db, secrets: testSecrets }
})
after(() => rows.close())
beforeEach(() => rows.replace({}))

const owner = { merchantId: own, mode: 'test' } as const
const now = new Date(moment(0))
const hour = 3_600

async function acts(): Promise<unknown[]> {
  return rows.db.query(sql`
    select action, after from audit_log where merchant_id = ${own} and action like 'webhook_secret.%' order by at, id`)
}

test('a secret is created on first use, once, and each mode has its own', async () => {
  assert.deepEqual(await drawnWebhookSecrets(keeping, owner, now), [], 'who only checks draws none')
  const [first, ...more] = await webhookSecrets(keeping, owner, now)
  assert.ok(first)
  assert.deepEqual(more, [])
  assert.match(first.secret, /^whsec_/)
  assert.deepEqual(await webhookSecrets(keeping, owner, now), [first])
  assert.deepEqual(await drawnWebhookSecrets(keeping, owner, now), [first.secret])
  const [live] = await webhookSecrets(keeping, { ...owner, mode: 'live' }, now)
  assert.notEqual(live?.secret, first.secret)
})

test('when the current secret has an end, a new one is created beside it', async () => {
  await rows.replace({ secrets: [secret({ id: 'whs_old', ends_at: moment(hour) })] })
  const [fresh, old, ...more] = await webhookSecrets(keeping, owner, now)
  assert.deepEqual(more, [])
  assert.equal(fresh?.ends_at, null)
  assert.deepEqual([old?.secret, old?.ends_at], [plainSecret('a'), moment(hour)])
})

test('a rolled secret keeps signing as long as requested, from 0 to 72 hours', async () => {
  for (const hours of [0, 1, 72]) {
    await rows.replace({ secrets: [secret({ id: 'whs_old' })] })
    const rolled = await rollWebhookSecret(keeping, owner, hours, bySystem, { now })
    const at = (seconds: number) => drawnWebhookSecrets(keeping, owner, new Date(moment(seconds)))
    assert.deepEqual(await at(hours * hour - 1), [rolled, plainSecret('a')])
    assert.deepEqual(await at(hours * hour), [rolled])
  }
  for (const hours of [-1, 72.1, 73, Number.NaN]) {
    await assert.rejects(rollWebhookSecret(keeping, owner, hours, bySystem, { now }), {
      errors: { overlap: ['overlap must be 0 to 72 hours'] },
    })
  }
})

test('rolling again during an overlap neither prolongs nor shortens it', async () => {
  await rows.replace({ secrets: [secret({ id: 'whs_old' })] })
  const roll = async (hours: number, seconds: number): Promise<string> =>
    rollWebhookSecret(keeping, owner, hours, bySystem, { now: new Date(moment(seconds)) })
  const at = async (seconds: number): Promise<Set<string>> =>
    new Set(await drawnWebhookSecrets(keeping, owner, new Date(moment(seconds))))
  const second = await roll(24, 0)
  const third = await roll(72, hour)
  assert.deepEqual(await at(24 * hour - 1), new Set([third, second, plainSecret('a')]))
  assert.deepEqual(await at(24 * hour), new Set([third, second]))
  const fourth = await roll(0, 25 * hour)
  assert.deepEqual(await at(73 * hour - 1), new Set([fourth, second]), 'the third has ended')
  assert.deepEqual(await at(73 * hour), new Set([fourth]))
})

test('a secret already rolled isn’t rolled again, and the current one is returned', async () => {
  await rows.replace({ secrets: [secret({ id: 'whs_old' })] })
  const once = await rollWebhookSecret(keeping, owner, 1, bySystem, { now, rolled: 'whs_old' })
  const writtenBefore = await acts()
  assert.equal(await rollWebhookSecret(keeping, owner, 1, bySystem, { now, rolled: 'whs_old' }), once)
  assert.deepEqual(await acts(), writtenBefore, 'and nothing is written down')
})

test('viewing secrets is audited', async () => {
  const writtenBefore = await acts()
  const shown = await showWebhookSecrets(keeping, owner, bySystem, now)
  assert.equal(shown.length, 1)
  assert.deepEqual((await acts()).slice(writtenBefore.length), [
    { action: 'webhook_secret.shown', after: { secrets: 1 } },
  ])
})

test('a stored secret can be decrypted only for its owner, even when cached', async () => {
  await webhookSecrets(keeping, owner, now)
  const [stored] = await rows.db.query<{ text: string }>(sql`
    select id || ' ' || encode(sealed, 'hex') as text from webhook_secrets where merchant_id = ${own}`)
  const open = makeOpenStored(testSecrets)
  const [known] = await drawnWebhookSecrets(keeping, owner, now)
  for (let times = 0; times < 2; times += 1) assert.equal(open(owner, stored?.text ?? ''), known)
  for (const other of [
    { ...owner, merchantId: neighbour },
    { ...owner, mode: 'live' as const },
  ]) {
    assert.throws(() => open(other, stored?.text ?? ''))
  }
  assert.equal(open(owner, plainSecret('a')), plainSecret('a'), 'one from before secrets were sealed')
})
