import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptOnPage } from '../../../test/support/scripted-networks.ts'
import { hourMs, minuteMs, openTill, type Till } from '../../../test/support/till.ts'
import type { AttemptRow } from '../attempts/attempt-store.ts'
import type { OurCharge } from './compare-books.ts'
import { findKnownCharges, readAllCharges, readPaidCharges } from './read-charges.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('what our records say of each attempt is told in the words of the books', async () => {
  const since = new Date(till.paying.now().getTime() - hourMs)
  const taken = { charged_minor: 7n, charged_currency: 'EUR' }
  const charged = { amountMinor: 7n, currency: 'EUR' }
  const surplusOf = ({ idempotency_key }: AttemptRow): string => `surplus-${idempotency_key}`
  type Told = (attempt: AttemptRow) => Partial<OurCharge>
  const rows: [Record<string, unknown>, Told][] = [
    [{}, () => ({ references: ['tb_1'] })],
    [{ connector_reference: null }, () => ({ references: [] })],
    [
      { state: 'succeeded', charge_reference: 'ch_1', ...taken },
      () => ({ references: ['ch_1', 'tb_1'], charged }),
    ],
    [{ state: 'held', charged_minor: 7n }, () => ({ references: ['tb_1'] })],
    [{ state: 'held', charged_currency: 'EUR' }, () => ({ references: ['tb_1'] })],
    [
      { state: 'surplus', ...taken },
      (attempt) => ({
        references: ['tb_1'],
        charged,
        sentBack: { isDone: false, names: [surplusOf(attempt)] },
      }),
    ],
    [
      { state: 'returned', ...taken, refund_reference: 're_1' },
      (attempt) => ({
        references: ['tb_1'],
        charged,
        sentBack: { isDone: true, names: [surplusOf(attempt), 're_1'] },
      }),
    ],
  ]
  const expected: OurCharge[] = []
  for (const [changes, told] of rows) {
    const attempt = await attemptOnPage(till, { account_id: 'acc_one', ...changes })
    expected.push({
      merchantId: till.merchantId,
      txRef: `order-${attempt.number}`,
      idempotencyKey: attempt.idempotency_key,
      references: [],
      charged: undefined,
      sentBack: undefined,
      at: new Date(attempt.updated_at),
      ...told(attempt),
    })
  }
  await attemptOnPage(till, { account_id: 'acc_two' })
  await attemptOnPage(till, { account_id: 'acc_one', started_at: new Date(since.getTime() - minuteMs) })
  assert.deepEqual(await Array.fromAsync(readAllCharges(till.db, 'acc_one', since)), expected)
  assert.deepEqual(await Array.fromAsync(readAllCharges(till.db, 'acc_none', since)), [])
})

test('charges are known by their names, however many are asked about at once', async () => {
  const { merchantId } = till
  const known = async (charge_reference: string): Promise<AttemptRow> =>
    attemptOnPage(till, { account_id: 'acc_known', state: 'succeeded', charge_reference })
  const [first, last] = [await known('ch_first'), await known('ch_last')]
  const strange = Array.from({ length: 1_000 }, (_, place) => `ch_strange_${place}`)
  const nameOf = ({ number }: AttemptRow) => ({ merchantId, txRef: `order-${number}` })
  assert.deepEqual(
    await findKnownCharges(till.db, ['acc_none', 'acc_known'], ['ch_first', ...strange, 'ch_last']),
    new Map([
      ['ch_first', nameOf(first)],
      ['ch_last', nameOf(last)],
    ]),
  )
  assert.deepEqual(await findKnownCharges(till.db, ['acc_known'], []), new Map())
  assert.deepEqual(await findKnownCharges(till.db, ['acc_none'], ['ch_first']), new Map())
  const paid = { number: last.number, account_id: 'acc_known', charge_reference: 'ch_last' }
  assert.deepEqual(await readPaidCharges(till.db, merchantId, [last.number]), [paid])
  assert.deepEqual(await readPaidCharges(till.db, merchantId, []), [])
})
