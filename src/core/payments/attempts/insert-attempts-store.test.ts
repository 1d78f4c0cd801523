import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTill, type Till } from '../../../../test/support/till.ts'
import {
  insertAttempt,
  makeTwins,
  newAttempt,
  twinNumbers,
  type Twins,
} from '../../../../test/support/twins.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lockPayments } from '../store.ts'
import type { AttemptRow } from './attempt-store.ts'
import { insertAttempts, type NewAttempt } from './insert-attempts-store.ts'

// Which attempts begin.

let till: Till
let twins: Twins
before(async () => {
  till = await openTill()
})
beforeEach(async () => {
  twins = await makeTwins(till.db)
})
after(() => till.close())

const { busy, alsoBusy, live, open } = twinNumbers

const nameOf = (row: Pick<AttemptRow, 'merchant_id' | 'number' | 'attempt'> | undefined): unknown[] => [
  row?.merchant_id,
  row?.number,
  row?.attempt,
]

function attemptOf(merchantId: number, changes: Partial<NewAttempt> = {}): NewAttempt {
  return newAttempt({ merchant_id: merchantId, language: 'cy', is_judged: true, ...changes })
}

test('an attempt starts only for this merchant’s pending, unexpired payment in its mode without one in flight', async () => {
  await twins.forEach(async (own, other) => {
    const rows = await twins.rowsOf(own)
    const { expires_at: end } = await till.read({ merchantId: own, number: open })
    const refused = [
      attemptOf(other),
      attemptOf(other, { idempotency_key: `${open}/1` }),
      attemptOf(own, { number: busy }),
      attemptOf(own, { number: live }),
      attemptOf(own, { mode: 'live' }),
      attemptOf(own, { started_at: new Date(Date.parse(end) + 1) }),
    ]
    for (const one of refused) assert.deepEqual(await insertAttempts(till.db, own, [one]), [])
    assert.equal(await twins.countChanged(own, rows), 0, 'nor is a language kept of those')

    const [begun, none] = await insertAttempts(till.db, own, [attemptOf(own)])
    assert.equal(none, undefined)
    assert.deepEqual(nameOf(begun), [own, open, 2])
    assert.equal(begun?.amount_minor, BigInt(own))
    assert.equal(await twins.countChanged(own, rows), 2, 'the attempt, and the language of its payment')
    assert.equal((await till.read({ merchantId: own, number: open })).language, 'cy')
  })
})

test('an attempt waits for its own payment only, then sees its new state', async () => {
  const [own, other] = twins.merchants
  const under = await inTransaction(till.db, async (tx) => {
    await lockPayments(tx, own, [open])
    assert.deepEqual(
      await insertAttempts(till.db, own, [attemptOf(other)]),
      [],
      'not for one that is not meant',
    )
    const late = insertAttempts(till.db, own, [attemptOf(own)])
    await waitUntil('it waits', async () => (await countWaiting(till.db)) === 1)
    await tx.query(
      sql`update payments set state = 'cancelled' where merchant_id = ${own} and number = ${open}`,
    )
    return { late }
  })
  assert.deepEqual(await under.late, [])

  await inTransaction(till.db, async (tx) => {
    await lockPayments(tx, other, [busy, alsoBusy, live])
    assert.equal((await insertAttempts(till.db, other, [attemptOf(other)])).length, 1)
  })
})

test('a payment is over at the exact moment of its end', async () => {
  const [own] = twins.merchants
  const end = new Date('2026-11-15T12:00:00.000Z')
  await till.db.query(sql`update payments set expires_at = ${end} where merchant_id = ${own}`)
  assert.deepEqual(await insertAttempts(till.db, own, [attemptOf(own, { started_at: end })]), [])
  const momentBefore = new Date(end.getTime() - 1)
  assert.equal((await insertAttempts(till.db, own, [attemptOf(own, { started_at: momentBefore })])).length, 1)
})

test('attempts are counted per payment, and an ended payment starts none', async () => {
  const [one, two] = twins.merchants
  for (const attempt of [2, 3, 4]) await insertAttempt(till.db, two, open, attempt, 'declined')
  await insertAttempt(till.db, two, live, 1, 'declined')
  const [begun] = await insertAttempts(till.db, one, [attemptOf(one)])
  assert.equal(begun?.attempt, 2)

  // An attempt of the other merchant with this key and number says nothing of ours.
  await insertAttempts(till.db, one, [
    attemptOf(one, { number: live, idempotency_key: `${live}/1`, language: 'fr' }),
  ])
  assert.equal((await till.read({ merchantId: one, number: live })).language, null)

  await till.db.query(sql`update payments set state = 'cancelled' where merchant_id = ${two}`)
  assert.deepEqual(await insertAttempts(till.db, two, [attemptOf(two)]), [])
})

test('attempts that start together keep the language of their own pages', async () => {
  const [own] = twins.merchants
  await till.db.query(sql`
    update attempts set state = 'declined' where merchant_id = ${own} and state = 'unknown'`)
  await till.db.query(
    sql`update payments set language = 'pl' where merchant_id = ${own} and number = ${alsoBusy}`,
  )
  await insertAttempts(till.db, own, [
    attemptOf(own, { language: 'cy' }),
    attemptOf(own, { number: busy, language: 'de' }),
    attemptOf(own, { number: alsoBusy, language: null }),
  ])
  const languages = await Promise.all(
    [open, busy, alsoBusy, live].map(
      async (number) => (await till.read({ merchantId: own, number })).language,
    ),
  )
  assert.deepEqual(languages, ['cy', 'de', 'pl', null])
})

test('an attempt reads its own payment, however many became pending since the last analyze', async () => {
  const [own] = twins.merchants
  const insertMany = (from: number, state: string) => sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, state, currency, amount_minor, charge_minor,
      email, first_name, last_name)
    select ${own}::integer, lpad(n::text, 24, '0'), 'test', n::text, n::text, 'API', ${state}, 'GBP', 100, 1,
      'a@b.example', 'A', ''
    from generate_series(${from}::integer, ${from + 1_999}::integer) as n`
  // As at night, when everything has ended: the index of what may expire is empty then.
  await till.db.query(sql`update payments set state = 'expired' where state = 'pending'`)
  await till.db.query(insertMany(1, 'expired'))
  await till.db.query(sql`vacuum analyze payments`)
  await till.db.query(insertMany(2_001, 'pending'))
  await inTransaction(till.db, async (tx) => {
    const rowsRead = async (): Promise<bigint> => {
      const [row] = await tx.query<{ rows: bigint }>(sql`
        select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'payments'`)
      return row?.rows ?? 0n
    }
    // The sixth time on a connection PostgreSQL settles on one plan for all values.
    for (let number = 3_991; number <= 4_000; number += 1) {
      const readBefore = await rowsRead()
      const begun = await insertAttempts(tx, own, [
        attemptOf(own, { number: String(number).padStart(24, '0') }),
      ])
      assert.equal(begun.length, 1)
      const read = (await rowsRead()) - readBefore
      assert.ok(read < 10n, `${read} rows were read for one attempt`)
    }
  })
})
