import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../../../test/support/rows.ts'
import {
  attemptOnPage,
  openDesk,
  readAttempt,
  type Answers,
  type Desk,
} from '../../../../../test/support/scripted-networks.ts'
import { dayMs, hourMs, minuteMs, openTill, secondMs, type Till } from '../../../../../test/support/till.ts'
import { sql } from '../../../../platform/database/sql.ts'
import type { AttemptRow } from '../attempt-store.ts'
import { returnSurplus, surplusKey } from './return-surplus.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const ahead = (ms: number): Date => new Date(till.paying.now().getTime() + ms)

/** Money in another currency than the payment's, found a minute ago and asked back twice. */
const surplus = (): Values => ({
  state: 'surplus',
  checks: 2,
  next_check_at: ahead(0),
  updated_at: ahead(-minuteMs),
  charge_reference: 'ch_1',
  charged_minor: 700n,
  charged_currency: 'EUR',
})

type Done = { readonly desk: Desk; readonly row: AttemptRow; readonly troubles: string[] }

async function giveBack(answers: Answers, changes: Values = {}): Promise<Done> {
  const attempt = await attemptOnPage(till, { ...surplus(), ...changes })
  const troubles: string[] = []
  const metrics = { ...till.paying.metrics, trouble: (kind: string) => void troubles.push(kind) }
  const desk = openDesk(till, answers, { metrics })
  await returnSurplus(desk.paying, attempt)
  assert.deepEqual(desk.applied, [])
  return { desk, row: await readAttempt(till, attempt), troubles }
}

/** State, the network's name of the refund, looks so far and the seconds until the next. */
function standing({ state, refund_reference, checks, next_check_at }: AttemptRow): unknown[] {
  const seconds = next_check_at === null ? null : (Date.parse(next_check_at) - ahead(0).getTime()) / secondMs
  return [state, refund_reference, checks, seconds]
}

async function mailOf({ merchant_id, number }: AttemptRow): Promise<unknown[]> {
  const rows = await till.db.query<{ event: string; mode: string; body: string }>(sql`
    select event, mode, body from deliveries
    where merchant_id = ${merchant_id} and body like ${`%"order-${number}"%`}`)
  return rows.map(({ event, mode, body }) => [event, mode, JSON.parse(body)])
}

test('surplus money is refunded as charged, with its own idempotency key', async () => {
  const { desk, row } = await giveBack({})
  const key = `surplus-${row.idempotency_key}`
  assert.equal(surplusKey(row.idempotency_key), key)
  assert.deepEqual(desk.asked, ['refund'])
  assert.deepEqual(desk.told, [
    [
      { id: 'acc_test-bank', connector: till.bank.name, credentials: {}, sandbox: true },
      {
        merchantId: till.merchantId,
        refundId: key,
        idempotencyKey: key,
        requestedAt: ahead(-minuteMs),
        connectorReference: 'tb_1',
        chargeReference: 'ch_1',
        amountMinor: 700n,
        currency: 'EUR',
        refundedBeforeMinor: 0n,
        chargedMinor: 700n,
        refundReference: undefined,
      },
    ],
  ])
  assert.deepEqual(standing(row), ['surplus', null, 2, 0], 'no answer decides nothing')
})

test('once the network has an id for it, or may have forgotten its key, a return is only looked up', async () => {
  const asked = async (changes: Values): Promise<unknown> => {
    const { desk } = await giveBack({}, changes)
    return [...desk.asked, desk.told[0]?.[1]?.['refundReference']]
  }
  assert.deepEqual(await asked({ updated_at: ahead(-23 * hourMs + 1) }), ['refund', undefined])
  assert.deepEqual(await asked({ updated_at: ahead(-23 * hourMs) }), ['fetchRefund', undefined])
  assert.deepEqual(await asked({ refund_reference: 're_1' }), ['fetchRefund', 're_1'])
})

test('a pending return is checked less and less often, and keeps the network’s first id', async () => {
  const submitted = { kind: 'submitted', refundReference: 're_2' } as const
  for (const [changes, expected] of [
    [{}, ['surplus', 're_2', 3, 300]],
    [{ refund_reference: 're_1' }, ['surplus', 're_1', 3, 300]],
    [{ refund_reference: 're_1', updated_at: ahead(-7 * dayMs + 1) }, ['surplus', 're_1', 3, 300]],
  ] as const) {
    const { row, troubles } = await giveBack({ refund: submitted, fetchRefund: submitted }, changes)
    assert.deepEqual([standing(row), troubles], [expected, []])
    assert.deepEqual(await mailOf(row), [])
  }
})

test('returned money needs no further checks', async () => {
  const succeeded = { kind: 'succeeded', refundReference: 're_2' } as const
  for (const refund_reference of [null, 're_1']) {
    const { row, troubles } = await giveBack(
      { refund: succeeded, fetchRefund: succeeded },
      { refund_reference },
    )
    assert.deepEqual(standing(row), ['returned', refund_reference ?? 're_2', 0, null])
    assert.deepEqual([new Date(row.updated_at), troubles], [ahead(0), []])
    assert.deepEqual(await mailOf(row), [])
  }
})

test('a failed return is reported once with what was charged, and not requested again', async () => {
  const failed = { kind: 'failed', reason: 'account_closed', refundReference: 're_2' } as const
  const known = { chargedMinor: '700', chargedCurrency: 'EUR' }
  const asOwed = { chargedMinor: '1000', chargedCurrency: 'GBP' }
  const rows: [Answers, Values, string[], typeof known][] = [
    [{ refund: failed }, {}, ['refund'], known],
    [{ refund: { kind: 'not_found' } }, {}, ['refund'], known],
    [{ fetchRefund: { kind: 'not_found' } }, { refund_reference: 're_1' }, ['fetchRefund'], known],
    [
      { fetchRefund: { kind: 'submitted', refundReference: 're_1' } },
      { refund_reference: 're_1', updated_at: ahead(-7 * dayMs) },
      ['fetchRefund'],
      known,
    ],
    [{}, { account_id: null }, [], known],
    [{}, { connector_reference: null }, [], known],
    [{}, { charge_reference: null }, [], known],
    [{}, { charged_minor: null }, [], asOwed],
    [{}, { charged_currency: null }, [], asOwed],
  ]
  for (const [answers, changes, asked, charged] of rows) {
    const { desk, row, troubles } = await giveBack(answers, changes)
    const about = JSON.stringify([Object.keys(changes), answers])
    assert.deepEqual([desk.asked, troubles], [asked, ['stuck']], about)
    const reference = (changes['refund_reference'] as string | undefined) ?? null
    assert.deepEqual(standing(row), ['surplus', reference, 3, null], about)
    assert.deepEqual(await mailOf(row), [
      [
        'charge.stuck',
        'test',
        {
          template: 'charge_stuck',
          reference: row.number.slice(-12),
          txRef: `order-${row.number}`,
          amountMinor: '1000',
          currency: 'GBP',
          ...charged,
        },
      ],
    ])
    assert.deepEqual(desk.log(), [['error', "A network doesn't return a surplus charge; check it by hand"]])
  }
})

test('an attempt deleted in the meantime, as old tests are, is left alone', async () => {
  const attempt = await attemptOnPage(till, surplus())
  const desk = openDesk(till, { refund: { kind: 'succeeded', refundReference: 're_1' } })
  const number = '9'.repeat(24)
  for (const gone of [
    { ...attempt, attempt: 2 },
    { ...attempt, number },
  ])
    await returnSurplus(desk.paying, gone)
  assert.deepEqual(standing(await readAttempt(till, attempt)), ['surplus', null, 2, 0])
})
