import { Ajv2020 } from 'ajv/dist/2020.js'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createKey } from '../../../core/merchants/change-keys.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Cell } from '../../../platform/http/csv/csv-line.ts'
import { exportLines, findPayout } from '../find-payouts.ts'
import { payoutOperations } from '../api/operations.ts'
import { makeStillClock } from '../../../../test/support/clock.ts'
import { call, openHouse, post, type House } from '../../../../test/support/house.ts'
import { payOut } from '../../../../test/support/pay-out.ts'
import { openReceiver } from '../../../../test/support/receiver.ts'
import { paidPayment, refund } from '../../../../test/support/refunds.ts'

// Payouts as a merchant's own program sees them.

const clock = makeStillClock()
const ajv = new Ajv2020({ strict: false })
let house: House
let id: string
let txRef: string
before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  const payment = await paidPayment(house, 'good')
  txRef = payment.txRef
  assert.equal((await refund(house, payment, { amount: '1.00' })).status, 201)
  clock.jump(1_000)
  id = await payOut(house)
})
after(() => house.close())

type Row = Record<string, unknown>

async function ask(path: string, key = house.secretKey) {
  return (await call(house.url + path, { key })).json as unknown as {
    data: Row & Row[]
    meta: { next_cursor: string | null }
  }
}

function conforms(operationId: string, data: unknown): void {
  const operation = payoutOperations.find((one) => one.id === operationId)
  const schema = operation?.answers.find(({ status }) => status === 200)?.data ?? assert.fail()
  const validate = ajv.compile(schema)
  assert.ok(validate(data), `${operationId}: ${ajv.errorsText(validate.errors)}`)
}

test('a payout is listed, found with its history, and has the documented shape', async () => {
  const { data: listed } = await ask('/api/payouts?status=announced')
  conforms('listPayouts', listed)
  assert.deepEqual(
    listed.map((one) => one['id']),
    [id],
  )
  assert.deepEqual((await ask('/api/payouts?status=failed')).data, [])
  const { data: found } = await ask(`/api/payouts/${id}`)
  conforms('findPayout', found)
  const { history, ...rest } = found
  assert.deepEqual(rest, listed[0])
  assert.equal((history as Row[])[0]?.['status'], 'announced')
})

test('the API’s lines match the CSV, page by page, and add up to the payout', async () => {
  const lines: Row[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const path: string = `/api/payouts/${id}/lines?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const page = await ask(path)
    conforms('listPayoutLines', page.data)
    lines.push(...page.data)
    cursor = page.meta.next_cursor
  }
  const payout = await findPayout(house.db, { merchantId: house.merchantId, mode: 'test', id })
  const { header, pages } = exportLines(house.db, payout)
  // A file may write times in the shop's time zone; the moment is the same.
  const momentOf = (cell: Cell) =>
    typeof cell === 'object' && cell !== null && 'moment' in cell ? cell.moment : cell
  const cells = (await Array.fromAsync(pages)).flat().map((row) => row.map(momentOf))
  assert.deepEqual(
    lines.map((line) => header.map((name) => line[name])),
    cells,
  )
  // Booked at the same moment, so either may come first.
  const told = lines.map((line) => `${String(line['kind'])} ${String(line['tx_ref'])}`)
  assert.deepEqual(told.toSorted(), [`payment ${txRef}`, `refund ${txRef}`])
  const sum = lines.reduce((all, line) => all + Number(line['net_minor']), 0)
  assert.equal(sum, Number(payout.amount_minor))
})

test('the balance shows what is in transit', async () => {
  const { data } = await ask('/api/balance')
  conforms('findBalance', data)
  const { data: payout } = await ask(`/api/payouts/${id}`)
  const [balance] = data['balances'] as Row[]
  assert.equal(balance?.['on_its_way_minor'], payout['amount_minor'])
  assert.equal(balance?.['available'], '0.00')
})

async function eventsTo(url: string): Promise<string[]> {
  const rows = await house.db.query<{ event: string }>(sql`
    select event from deliveries where merchant_id = ${house.merchantId} and target = ${url} order by event`)
  return rows.map(({ event }) => event)
}

test('an endpoint subscribed to payout.arrived receives it, signed, and no other event', async () => {
  const [receiver, all] = [await openReceiver(), await openReceiver()]
  await post(`${house.url}/api/endpoints`, { url: all.url, events: ['*'] }, house.secretKey)
  const made = await post(
    `${house.url}/api/endpoints`,
    { url: receiver.url, events: ['payout.arrived'] },
    house.secretKey,
  )
  assert.equal(made.status, 201, made.text)
  await paidPayment(house, 'good')
  clock.jump(5 * 60_000)
  await payOut(house)
  clock.jump(5 * 60_000)
  await payOut(house)
  // The second of the two payouts arrived as well.
  assert.deepEqual(await eventsTo(receiver.url), ['payout.arrived', 'payout.arrived'])
  assert.deepEqual(await eventsTo(all.url), ['payment.success', 'payout.arrived', 'payout.arrived'])
  const worker = house.app.startWorker()
  try {
    const heard = (await receiver.first(2)).find(({ body }) => body.includes(id))
    const headers = heard?.headers as Record<string, string>
    const { secret } = made.json.data as { secret: string }
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
    assert.ok(Math.abs(signedAt.getTime() - clock.now().getTime()) < 60_000 * 60)
    const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', signedAt, heard?.body ?? '')
    assert.ok(headers['webhook-signature']?.split(' ').includes(signature))
    const { event, id: told, status } = JSON.parse(heard?.body ?? '') as Record<string, unknown>
    assert.deepEqual([event, told, status], ['payout.arrived', id, 'arrived'])
  } finally {
    await worker.stop()
    await receiver.close()
    await all.close()
  }
})

test('another merchant’s or mode’s payout is not found, nor are its lines', async () => {
  const other = await createMerchant(house.db, { name: 'Another shop' })
  const { key } = await createKey(house.db, other, { kind: 'secret', mode: 'test', name: 'other' })
  for (const foreign of [key, house.liveKey]) {
    for (const path of [`/api/payouts/${id}`, `/api/payouts/${id}/lines`]) {
      const answer = await call(house.url + path, { key: foreign })
      assert.deepEqual([answer.status, answer.json.code], [404, 'not_found'], path)
    }
    assert.deepEqual((await ask('/api/payouts', foreign)).data, [])
    assert.deepEqual((await ask('/api/balance', foreign)).data, { balances: [], not_reported: [] })
  }
})

test('a program pays out in test mode, and a live key is refused', async () => {
  await paidPayment(house, 'good')
  clock.jump(1_000)
  const made = await call(`${house.url}/api/payouts`, { method: 'POST', key: house.secretKey })
  conforms('payOutNow', made.json.data)
  const [payout] = made.json.data as unknown as Row[]
  assert.deepEqual([payout?.['status'], payout?.['currency']], ['announced', 'GBP'])
  const again = await call(`${house.url}/api/payouts`, { method: 'POST', key: house.secretKey })
  assert.deepEqual([again.status, again.json.data], [200, []], 'there is nothing left')
  const some = await post(`${house.url}/api/payouts`, { amount: '5.00' }, house.secretKey)
  assert.deepEqual([some.status, some.json.code], [400, 'validation_failed'])
  assert.match(some.json.message, /^amount is not a field of this call/)
  const live = await call(`${house.url}/api/payouts`, { method: 'POST', key: house.liveKey })
  assert.equal(live.status, 400)
  assert.match(live.text, /Only the test network pays out when you ask: use a test key/)
})
