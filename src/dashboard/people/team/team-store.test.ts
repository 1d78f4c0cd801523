import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../../test/support/rows.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findMerchantsOf } from './memberships-look-store.ts'
import {
  deleteInvitation,
  deleteMember,
  findInvitation,
  findRole,
  findInvitationHash,
  insertMember,
  listInvitations,
  listMembers,
  lockMembers,
  setRole,
  takeInvitation,
  upsertInvitation,
} from './team-store.ts'

// Two merchants with the same people and invitations of the same names: whatever is read or changed is the one merchant's alone.

let two: TwoMerchants
const now = new Date('2026-11-16T12:00:00.000Z')
const at = (ms: number): Date => new Date(now.getTime() + ms)

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

beforeEach(async () => {
  await two.db.query(sql`truncate memberships, invitations`)
  for (const [merchant_id, role] of [
    [two.own, 'owner'],
    [two.other, 'viewer'],
  ] as const) {
    await insertRows(two.db, 'memberships', [
      { merchant_id, person_id: 'b', role, created_at: at(0) },
      { merchant_id, person_id: 'a', role: 'support', created_at: at(1) },
    ])
    const invitation = (id: string, ends_at: Date, created_at: Date) =>
      ({
        merchant_id,
        id,
        email: `${id}@example.com`,
        role,
        hash: Buffer.from(id),
        invited_by: 'b',
        ends_at,
        created_at,
      }) as const
    await insertRows(two.db, 'invitations', [
      invitation('open', at(1), at(0)),
      invitation('later', at(9), at(1)),
      invitation('over', at(0), at(2)),
    ])
  }
})

const within = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => inTransaction(two.db, work)

/** So many rows of one merchant are no longer as they were, and none of the other's. */
async function changedBy(
  table: string,
  count: number,
  change: (own: number) => Promise<unknown>,
): Promise<void> {
  for (const [own, other] of two.both) {
    const [mine, theirs] = [await storedRows(two.db, table, own), await storedRows(two.db, table, other)]
    await change(own)
    assert.deepEqual(await storedRows(two.db, table, other), theirs)
    const left = await storedRows(two.db, table, own)
    assert.equal(mine.filter((row) => !left.includes(row)).length, count)
  }
}

test('a person has a separate role at each merchant', async () => {
  assert.deepEqual(
    [
      await findRole(two.db, two.own, 'b'),
      await findRole(two.db, two.other, 'b'),
      await findRole(two.db, two.own, 'c'),
    ],
    ['owner', 'viewer', undefined],
  )
  await changedBy('memberships', 1, async (own) => within(async (tx) => setRole(tx, own, 'a', 'developer')))
  await changedBy('memberships', 1, async (own) => within(async (tx) => deleteMember(tx, own, 'a')))
  assert.equal(await within(async (tx) => insertMember(tx, two.own, 'b', 'viewer')), false)
  assert.equal(await findRole(two.db, two.own, 'b'), 'owner')
  assert.equal(await within(async (tx) => insertMember(tx, two.own, 'c', 'viewer')), true)
  assert.deepEqual(
    [await findMerchantsOf(two.db, 'b'), await findMerchantsOf(two.db, 'c')],
    [[two.own, two.other], [two.own]],
  )
})

test('members are listed in joining order, and locked for one merchant', async () => {
  const people = (rows: readonly { person_id: string }[]) => rows.map(({ person_id }) => person_id).join('')
  assert.equal(people(await listMembers(two.db, two.own)), 'ba')
  await within(async (tx) => {
    assert.equal(people(await lockMembers(tx, two.own)), 'ab')
    const free = await two.db.query<{ merchant_id: number }>(sql`
      select merchant_id from memberships for update skip locked`)
    assert.deepEqual(new Set(free.map(({ merchant_id }) => merchant_id)), new Set([two.other]))
  })
})

test('open invitations are listed, oldest first', async () => {
  for (const [own] of two.both)
    assert.deepEqual(
      (await listInvitations(two.db, own, now)).map(({ id }) => id),
      ['open', 'later'],
    )
})

test('an invitation is found and used once by its secret, until it expires, for its own merchant', async () => {
  const find = async (own: number, id: string, when: Date) =>
    (await findInvitation(two.db, own, Buffer.from(id), when))?.role
  const take = async (own: number, id: string, when: Date) =>
    (await within(async (tx) => takeInvitation(tx, own, Buffer.from(id), when)))?.role
  for (const ask of [find, take]) {
    assert.equal(await ask(two.own, 'none', now), undefined)
    assert.equal(await ask(two.own, 'open', at(1)), undefined)
    assert.equal(await ask(two.own, 'open', now), 'owner')
  }
  assert.equal(await take(two.own, 'open', now), undefined)
  assert.equal(await take(two.other, 'open', now), 'viewer')
})

test('an invitation is withdrawn by its id, for its own merchant', async () => {
  await changedBy('invitations', 1, async (own) => within(async (tx) => deleteInvitation(tx, own, 'open')))
  assert.deepEqual(
    await within(async (tx) => [
      (await findInvitationHash(tx, two.own, 'open')) !== undefined,
      (await findInvitationHash(tx, two.own, 'over')) !== undefined,
    ]),
    [false, true],
  )
  await within(async (tx) => deleteInvitation(tx, two.own, 'over'))
  assert.equal(
    await within(async (tx) => findInvitationHash(tx, two.own, 'over')),
    undefined,
    'there it is, here it is not',
  )
})

test('inviting someone again creates a new link and invalidates the old one', async () => {
  const again = { id: 'new', email: 'OPEN@example.com', role: 'viewer', by: 'b', endsAt: at(5) } as const
  await changedBy('invitations', 1, async (own) =>
    within(async (tx) => upsertInvitation(tx, own, { ...again, hash: Buffer.from('new') })),
  )
  assert.equal(await findInvitation(two.db, two.own, Buffer.from('open'), now), undefined)
  assert.equal((await findInvitation(two.db, two.own, Buffer.from('new'), now))?.role, 'viewer')
})
