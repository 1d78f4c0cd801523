import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, paymentNumber, paymentRow } from '../../../test/support/rows.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { sql } from '../../database/sql.ts'
import { countPayments, exportFound, findPayments } from './search-payments.ts'

// Live mode has as many payments as are counted one by one, all of one customer; test mode has three.

const countMax = 10_000

let till: Till
before(async () => {
  till = await openTill()
  await insertLive(0, countMax)
  const { db, merchantId: own } = till
  await insertRows(
    db,
    'payments',
    ['ada@example.com', 'grace@example.com', 'ada@example.com'].map((email, place) =>
      paymentRow({ merchant_id: own, number: paymentNumber(90_000 + place), email, tx_ref: `test-${place}` }),
    ),
  )
})
after(() => till.close())

/** In one statement without a value for each: ten thousand rows as parameters take seconds. */
async function insertLive(from: number, to: number): Promise<void> {
  await till.db.queryAll([
    sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor,
      email, first_name, last_name)
    select ${till.merchantId}::integer, lpad(place::text, 24, '0'), 'live', 'live-' || place, 'FL' || place, 'API', 'GBP',
      1000, 34, 'ada@example.com', 'Ada', 'Lovelace'
    from generate_series(${from}::integer, ${to - 1}::integer) as place`,
    sql`analyze payments`,
  ])
}

const inMode = (mode: 'live' | 'test') => ({ merchantId: till.merchantId, mode }) as const
const byAda = { search: 'ada@example.com' }

test('payments are counted one by one up to ten thousand, and reckoned from there on', async () => {
  const { db } = till
  const count = async (query: object) => countPayments(db, inMode('live'), query)
  const counted = { count: countMax, isExact: true }
  assert.deepEqual([await count({}), await count(byAda)], [counted, counted])
  assert.deepEqual(await count({ status: 'success' }), { count: 0, isExact: true })
  await insertLive(countMax, countMax + 2_000)
  const tooMany = { count: countMax, isExact: false }
  assert.deepEqual(await count(byAda), tooMany, 'what is found is not reckoned')
  const reckoned = await count({})
  assert.ok(!reckoned.isExact && reckoned.count > countMax, `${reckoned.count} are reckoned with`)
})

async function found(query: object): Promise<string[]> {
  const { payments } = await findPayments(till.db, inMode('test'), query)
  return payments.map(({ tx_ref }) => tx_ref).toSorted()
}

async function exported(query: Readonly<Record<string, string>>): Promise<string[]> {
  const { db } = till
  const file = await exportFound(db, inMode('test'), query, { kind: 'person', name: 'per_1' })
  const lines: string[] = []
  for await (const page of file.pages) lines.push(...page.map(([txRef]) => String(txRef)))
  return lines.toSorted()
}

test('what is listed, counted and exported is the same, and who exported it is written down', async () => {
  const { db, merchantId: own } = till
  const card = '4242 4242 4242 4242'
  for (const [query, expected] of [
    [{}, ['test-0', 'test-1', 'test-2']],
    [byAda, ['test-0', 'test-2']],
    [{ ...byAda, tx_ref: 'test-2' }, ['test-2']],
    [{ search: card }, []],
    [{ search: 'x'.repeat(400) }, []],
  ] as [Record<string, string>, string[]][]) {
    assert.deepEqual([await found(query), await exported(query)], [expected, expected])
    assert.deepEqual(await countPayments(db, inMode('test'), query), {
      count: expected.length,
      isExact: true,
    })
  }
  const acts = await db.query(sql`
    select actor, action, subject, after from audit_log 
    where merchant_id = ${own} and action like 'payments.%' order by at`)
  const act = { actor: 'per_1', action: 'payments.exported', subject: String(own) }
  assert.deepEqual(
    acts,
    [{}, byAda, { ...byAda, tx_ref: 'test-2' }, { search: '[hidden]' }, { search: 'x'.repeat(400) }].map(
      (query) => ({ ...act, after: { mode: 'test', ...query } }),
    ),
  )
})

test('what can not be asked is refused by its name, before anything is written down', async () => {
  const { db, merchantId: own } = till
  const acts = async () => db.query(sql`select id from audit_log where merchant_id = ${own}`)
  const earlier = await acts()
  for (const [query, rule] of [
    [{ search: 'x'.repeat(401) }, 'search must be at most 400 characters'],
    [{ limit: '5' }, /^limit is not known here, use .*, project, search/],
    [{ status: 'paid' }, /^status must be one of/],
  ] as const)
    for (const ask of [found, exported, async () => countPayments(db, inMode('test'), query)])
      await assert.rejects(ask(query), { message: rule })
  assert.deepEqual(await acts(), earlier)
})
