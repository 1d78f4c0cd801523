import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findMerchantsOfNewest, findMerchantsOfOldest } from './audit-look-store.ts'
import { listEntries, type EntryFilter } from './audit-store.ts'

type Entry = { merchant_id: number; id: string; at: string; action: string; subject: string }

const everything: EntryFilter = {
  since: undefined,
  until: undefined,
  action: undefined,
  subject: undefined,
  limit: 100,
}

let home: TestDatabase
let db: Database
const own = 1
const neighbour = 2
const all = [own, neighbour].flatMap(entriesOf)

before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  for (const one of all) {
    await db.query(sql`
      insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject)
      values (${one.merchant_id}, ${one.id}, ${one.at}, 'system', 'florin', ${one.action}, ${one.subject})`)
  }
})
after(async () => {
  await db.close()
  await home.drop()
})

function moment(second: number): string {
  return new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString()
}

/** Two of each moment, so that the id decides; the neighbour's are three seconds older, with the same ids. */
function entriesOf(merchant_id: number): Entry[] {
  const actions = ['key.created', 'key.revoked', 'keys_of_form.created', 'refund.requested']
  const subjects = ['key_1', 'key_2', 'key_10']
  return actions.flatMap((action, row) =>
    subjects.map((subject, column) => {
      const index = row * subjects.length + column
      const at = moment(10 + Math.floor(index / 2) - (merchant_id === neighbour ? 3 : 0))
      return {
        merchant_id,
        id: `aud_${String((index * 5) % 12).padStart(16, '0')}`,
        at,
        action,
        subject,
      }
    }),
  )
}

function found(merchantId: number, filter: EntryFilter): string[] {
  const { since, until, action, subject, after: behind } = filter
  const key = ({ at, id }: { at: string; id: string }): string => `${at} ${id}`
  return all
    .filter((one) => one.merchant_id === merchantId)
    .filter((one) => since === undefined || one.at >= since)
    .filter((one) => until === undefined || one.at < until)
    .filter((one) => action === undefined || one.action.startsWith(action))
    .filter((one) => subject === undefined || one.subject === subject)
    .filter((one) => behind === undefined || key(one) < key(behind))
    .toSorted((one, other) => (key(one) < key(other) ? 1 : -1))
    .map(({ id }) => id)
    .slice(0, filter.limit)
}

test('entries are found by time, kind and subject, newest first, page by page, for one merchant only', async () => {
  const questions: readonly Partial<EntryFilter>[] = [
    {},
    { since: moment(12) },
    { until: moment(12) },
    { action: 'key' },
    { action: 'key.created' },
    { subject: 'key_1' },
    { limit: 3 },
    { after: { at: moment(12), id: 'aud_0000000000000008' } },
    { action: 'key.', subject: 'key_2', since: moment(10), until: moment(13) },
  ]
  for (const merchantId of [own, neighbour]) {
    for (const question of questions) {
      const filter = { ...everything, ...question }
      const ids = (await listEntries(db, merchantId, filter)).map(({ id }) => id)
      assert.deepEqual(ids, found(merchantId, filter), JSON.stringify(question))
    }
  }
})

test('merchants with matching entries are found, those with the newest entries first', async () => {
  const asked: readonly [Partial<EntryFilter>, readonly number[]][] = [
    [{}, [own, neighbour]],
    [{ limit: 1 }, [own]],
    // The neighbour's first entries are of second 7, the own ones of second 10.
    [{ until: moment(10) }, [neighbour]],
    [{ since: moment(13) }, [own]],
    [{ since: moment(12) }, [own, neighbour]],
    [{ action: 'key.', since: moment(11) }, [own]],
    [{ subject: 'key_10', since: moment(13) }, [own]],
    // The page that goes on there must not stop at those who have newer entries only.
    [{ after: { at: moment(10), id: '' } }, [neighbour]],
    [{ after: { at: moment(12), id: '' }, limit: 1 }, [own]],
    [{ subject: 'key_3' }, []],
    [{ action: 'team' }, []],
  ]
  for (const [question, merchants] of asked) {
    const name = JSON.stringify(question)
    assert.deepEqual(await findMerchantsOfNewest(db, { ...everything, ...question }), merchants, name)
  }
})

test('merchants with entries older than a given moment are found', async () => {
  assert.deepEqual(await findMerchantsOfOldest(db, new Date(moment(7)), 10), [])
  assert.deepEqual(await findMerchantsOfOldest(db, new Date(moment(10)), 10), [neighbour])
  assert.deepEqual(
    new Set(await findMerchantsOfOldest(db, new Date(moment(11)), 10)),
    new Set([own, neighbour]),
  )
  assert.equal((await findMerchantsOfOldest(db, new Date(moment(11)), 1)).length, 1)
})
