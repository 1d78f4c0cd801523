import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minuteMs, openTill, type Till } from '../../../../../test/support/till.ts'
import { insertAttempt, makeTwins, twinNumbers } from '../../../../../test/support/twins.ts'
import { sql } from '../../../../platform/database/sql.ts'
import { listAttempts } from '../attempt-store.ts'
import {
  claimLook,
  findByKeys,
  findByReference,
  findHeld,
  findPaymentRow,
  findStanding,
  keepRefundReference,
} from './hosted-store.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const { alsoBusy, busy, live, open } = twinNumbers
const nobodys = '123456789012345678901234'

test('payments are found with their last attempt, in the requested order', async () => {
  const twins = await makeTwins(till.db)
  await twins.forEach(async (own) => {
    await till.db.query(sql`delete from attempts where merchant_id = ${own} and number = ${open}`)
    const found = await findStanding(till.db, own, [open, nobodys, busy, open])
    assert.deepEqual(
      found.map((one) => one && [one.payment.merchant_id, one.payment.number, one.lastAttempt?.attempt]),
      [[own, open, undefined], undefined, [own, busy, 2], [own, open, undefined]],
    )
  })
})

test('a payment is found only by its own merchant’s number', async () => {
  const twins = await makeTwins(till.db)
  await twins.forEach(async (own) => {
    for (const number of [busy, open]) {
      const found = await findPaymentRow(till.db, { merchantId: own, number })
      assert.deepEqual([found?.merchant_id, found?.number], [own, number])
    }
    assert.equal(await findPaymentRow(till.db, { merchantId: own, number: nobodys }), undefined)
  })
})

/** On a page of a network, as it stands. */
async function onPage(merchantId: number, number: string, attempt: number, changes = {}): Promise<void> {
  const asked: Partial<Record<'state' | 'asked_at' | 'reference', unknown>> = changes
  await till.db.query(sql`
    update attempts set account_id = 'acc_1', method = 'card', state = ${asked.state ?? 'unknown'},
      asked_at = ${asked.asked_at ?? null}, connector_reference = ${asked.reference ?? null}
    where merchant_id = ${merchantId} and number = ${number} and attempt = ${attempt}`)
}

test('a network is asked about an attempt open on its page, at intervals', async () => {
  const twins = await makeTwins(till.db)
  const [own, other] = twins.merchants
  const now = new Date('2026-11-15T12:00:00.000Z')
  const around = (ms: number): Date => new Date(now.getTime() + ms)
  const asks = async (number = busy): Promise<number | undefined> => {
    const found = await claimLook(till.db, { merchantId: own, number }, { now, everyMs: minuteMs })
    if (found) assert.deepEqual([found.merchant_id, found.number], [own, number])
    return found?.attempt
  }
  await onPage(other, busy, 2)
  await onPage(own, alsoBusy, 2)
  assert.equal(await asks(), undefined, 'it is paid on our own page')
  const rows = await twins.rowsOf(other)
  await onPage(own, busy, 2)
  assert.equal(await asks(), 2)
  assert.equal(await asks(), undefined, 'somebody has just asked')
  for (const [asked_at, isAsked] of [
    [around(-minuteMs), true],
    [around(-minuteMs + 1), false],
    [around(minuteMs), false],
    [around(minuteMs + 1), true],
  ] as const) {
    await onPage(own, busy, 2, { asked_at })
    assert.equal(await asks(), isAsked ? 2 : undefined, asked_at.toISOString())
  }
  for (const [state, isAsked] of [
    ['action_required', true],
    ['submitted', true],
    ['left_open', true],
    ['started', false],
    ['held', false],
  ] as const) {
    await onPage(own, busy, 2, { state })
    assert.equal(await asks(), isAsked ? 2 : undefined, state)
  }
  assert.equal(await asks(open), undefined)
  assert.deepEqual(await twins.rowsOf(other), rows)
})

test('an attempt on a network’s page is found by the network’s id, for its own merchant', async () => {
  const twins = await makeTwins(till.db)
  const [own, other] = twins.merchants
  const find = async (reference: string): Promise<unknown> => {
    const found = await findByReference(till.db, own, reference)
    return found && [found.merchant_id, found.number, found.attempt]
  }
  await onPage(other, busy, 2, { reference: 'ch_theirs' })
  await onPage(own, alsoBusy, 2, { reference: 'ch_first' })
  await onPage(own, busy, 2, { reference: 'ch_second' })
  await till.db.query(sql`
    update attempts set connector_reference = 'ch_ours' where merchant_id = ${own} and number = ${open} and attempt = 1`)
  assert.deepEqual(await find('ch_second'), [own, busy, 2])
  assert.deepEqual(await find('ch_first'), [own, alsoBusy, 2])
  assert.equal(await find('ch_theirs'), undefined)
  assert.equal(await find('ch_ours'), undefined, 'it was paid on our own page')
})

test('returned money is recorded on its own attempt', async () => {
  const twins = await makeTwins(till.db)
  await twins.forEach(async (own) => {
    await keepRefundReference(till.db, { merchantId: own, number: busy, attempt: 2 }, 're_1')
    const rows = await till.db.query(sql`
      select number, attempt from attempts where merchant_id = ${own} and refund_reference = 're_1'`)
    assert.deepEqual(rows, [{ number: busy, attempt: 2 }])
  })
})

test('an attempt on a network’s page is found by its idempotency key, for its own merchant', async () => {
  const twins = await makeTwins(till.db)
  for (const merchantId of twins.merchants) await onPage(merchantId, busy, 2)
  await twins.forEach(async (own) => {
    const attempts = await listAttempts(till.db, { merchantId: own, number: busy })
    const [first = '', second = ''] = attempts.map((attempt) => attempt.idempotency_key)
    const found = await findByKeys(till.db, own, [first, 'unheard', second])
    assert.deepEqual(
      found.map((attempt) => attempt && [attempt.merchant_id, attempt.attempt]),
      [undefined, undefined, [own, 2]],
      'the first was paid on our own page',
    )
  })
})

test('money waiting for a person is listed by merchant and mode, oldest first', async () => {
  const twins = await makeTwins(till.db)
  const now = new Date('2026-11-15T12:00:00.000Z')
  const put = async (
    merchantId: number,
    name: readonly [string, number],
    state: string,
    checkAt: Date | null,
  ) =>
    till.db.query(sql`
      update attempts set state = ${state}, next_check_at = ${checkAt},
        updated_at = ${new Date(now.getTime() - name[1] * minuteMs)}
      where merchant_id = ${merchantId} and number = ${name[0]} and attempt = ${name[1]}`)
  for (const merchantId of twins.merchants) {
    await insertAttempt(till.db, merchantId, open, 2, 'unknown')
    await insertAttempt(till.db, merchantId, live, 3, 'unknown')
    await put(merchantId, [live, 3], 'held', null)
    await put(merchantId, [busy, 1], 'surplus', null)
    await put(merchantId, [busy, 2], 'held', now)
    await put(merchantId, [alsoBusy, 2], 'unknown', null)
    await put(merchantId, [open, 2], 'surplus', now)
  }
  for (const merchantId of twins.merchants) {
    const listed = async (mode: 'test' | 'live') =>
      (await findHeld(till.db, { merchantId, mode })).map((one) => [
        one.number,
        one.attempt,
        one.amount_minor === BigInt(merchantId) || mode,
      ])
    assert.deepEqual(await listed('test'), [
      [busy, 2, true],
      [busy, 1, true],
    ])
    assert.deepEqual(await listed('live'), [[live, 3, 'live']])
  }
})
