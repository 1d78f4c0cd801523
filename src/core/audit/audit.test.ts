import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTwoMerchants, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { byKey, bySystem, changed, installation, recordAct, type Act, type Actor } from './audit.ts'
import { listAudit } from './list-audit.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

const everything = { since: undefined, until: undefined, action: undefined, subject: undefined, limit: 100 }

test('comparing two sets of facts returns only those that differ, from both', () => {
  const was = { name: 'Corner shop', live: false, hosts: ['a', 'b'], email: null }
  assert.equal(changed(was, was), undefined)
  assert.equal(changed(was, { name: 'Corner shop', hosts: ['a', 'b'] }), undefined)
  assert.deepEqual(changed(was, { ...was, live: true, hosts: ['b', 'a'] }), {
    before: { live: false, hosts: ['a', 'b'] },
    after: { live: true, hosts: ['b', 'a'] },
  })
  assert.deepEqual(changed(was, { ...was, phone: '1' }), { before: { phone: null }, after: { phone: '1' } })
})

test('an entry records who did what, from where and to what, as far as known', async () => {
  const whole: Act = { action: 'key.rolled', subject: 'key_1', before: { hint: 'a' }, after: { hint: 'b' } }
  const least: Act = { action: 'key.revoked', subject: 'key_2' }
  const acts: readonly (readonly [Actor, Act, told: object])[] = [
    [
      byKey('key_9', { ip: '192.0.2.7', id: 'req_1' }),
      whole,
      { actor_kind: 'key', actor: 'key_9', address: '192.0.2.7', request_id: 'req_1', ...whole },
    ],
    [
      bySystem,
      least,
      {
        actor_kind: 'system',
        actor: 'florin',
        address: null,
        request_id: null,
        before: null,
        after: null,
        ...least,
      },
    ],
  ]
  for (const [by, act, told] of acts) {
    await inTransaction(two.db, async (tx) => recordAct(tx, two.own, by, act))
    const [newest] = await listAudit(two.db, two.own, { ...everything, action: act.action })
    const { id, at, ...entry } = newest ?? assert.fail('no entry')
    assert.match(id, /^aud_[0-9A-Za-z]{16}$/)
    assert.ok(Date.parse(at) > 0)
    assert.deepEqual(entry, { merchant_id: two.own, ...told })
  }
})

test('actions on the installation are stored under no merchant, in every database', async () => {
  const act: Act = { action: 'secrets_key.rotated', subject: 'key' }
  await inTransaction(two.db, async (tx) => recordAct(tx, installation, bySystem, act))
  const rows = await two.db.query(sql`select subject from audit_log where merchant_id = 0`)
  assert.deepEqual(rows, [{ subject: 'key' }])
})

test('entries of all merchants are listed together, newest first, then by id', async () => {
  const entries = Array.from({ length: 12 }, (_, index) => ({
    merchantId: index % 2 === 0 ? two.own : two.other,
    id: `aud_${String((index * 5) % 12).padStart(16, '0')}`,
    at: `2020-01-01T00:00:0${Math.floor(index / 4)}.000000Z`,
  }))
  for (const { merchantId, id, at } of entries)
    await two.db.query(sql`
      insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject)
      values (${merchantId}, ${id}, ${at}, 'system', 'florin', 'key.created', 'old')`)
  const newest = entries.toSorted((one, other) => (one.at + one.id < other.at + other.id ? 1 : -1))
  const listed = async (merchantId: number | undefined, limit: number): Promise<string[]> =>
    (await listAudit(two.db, merchantId, { ...everything, subject: 'old', limit })).map(({ id }) => id)
  for (const limit of [2, 5, 12, 100]) {
    const ids = newest.map(({ id }) => id)
    assert.deepEqual(await listed(undefined, limit), ids.slice(0, limit))
    const own = newest.filter(({ merchantId }) => merchantId === two.own).map(({ id }) => id)
    assert.deepEqual(await listed(two.own, limit), own.slice(0, limit))
  }
})
