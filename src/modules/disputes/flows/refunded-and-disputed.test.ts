import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readBalance } from '../../../../test/support/networks/test-network-records.ts'
import { sql } from '../../../platform/database/sql.ts'
import { readLastDays } from '../../../../test/support/read-last-days.ts'
import { noFigures } from '../../../core/payments/daily-totals/tally.ts'
import { makeStillClock, type Clock } from '../../../../test/support/clock.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { refund, type Paid } from '../../../../test/support/refunds.ts'
import { cardOf, dayMs } from '../../../../test/support/till.ts'
import { signedIn, type Visitor } from '../../../../test/support/visitor.ts'

// A payment that was refunded and is taken by a bank as well, on the test network: more goes out than came in.

const cards = { won: cardOf('4000 0000 0000 2685'), lost: cardOf('4000 0000 0000 0259') }

let house: House
let clock: Clock
let owner: Visitor
before(async () => {
  clock = makeStillClock()
  house = await openHouse({ world: { now: clock.now } })
  owner = await signedIn(house, { role: 'owner' })
})
after(() => house.close())

type Dispute = { id: string; status: string; loss: string; loss_minor: number }
type Shown = { status: string; dispute: Dispute }

async function paidWith(card: keyof typeof cards): Promise<Paid> {
  const payment = await createPayment(house, { amount: '10.00' })
  assert.equal((await house.app.payer.pay({ ...payment, mode: 'test' }, cards[card])).kind, 'paid')
  return payment
}

async function pass(ms: number): Promise<void> {
  clock.jump(ms)
  const job = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  while ((await job.run()) > 0);
}

const read = async <Data>(path: string): Promise<Data> =>
  (await call(house.url + path, { key: house.secretKey })).json.data
const look = async ({ txRef }: Paid): Promise<Shown> => read(`/api/transaction/${txRef}`)

/** Status, and the loss by the transaction, the dispute, the list and the last notification, which must agree. */
async function standing(payment: Paid): Promise<string> {
  const { status, dispute } = await look(payment)
  assert.deepEqual(await read<Dispute>(`/api/disputes/${dispute.id}`).then(lossIn), lossIn(dispute))
  const listed = await read<Dispute[]>(`/api/disputes?tx_ref=${payment.txRef}`)
  assert.deepEqual(listed.map(lossIn), [lossIn(dispute)])
  const [told] = await house.db.query<{ body: string }>(sql`
    select body from deliveries
    where number = ${payment.number} and kind = 'ipn' and event like 'dispute.%' order by created_at desc limit 1`)
  assert.deepEqual(lossIn((JSON.parse(told?.body ?? '') as Shown).dispute), lossIn(dispute))
  return `${status} ${dispute.loss} ${dispute.loss_minor}`
}

const lossIn = ({ loss, loss_minor }: Dispute): unknown[] => [loss, loss_minor]

async function see(path: string): Promise<string> {
  const { text } = await owner.get(`/dashboard/${house.merchantId}/test${path}`)
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}

/** What is left of all payments, by our totals. */
async function leftByTotals(): Promise<bigint> {
  // The day of the database may be the next one by now.
  const tomorrow = new Date(clock.now().getTime() + dayMs)
  const totals = await readLastDays(house.db, { merchantId: house.merchantId, count: 4, now: tomorrow })
  const sum = totals[0]?.sum ?? noFigures
  return sum.paidMinor - sum.refundedMinor - sum.reversedMinor
}

for (const [card, refunded, open, decided, left] of [
  ['lost', '10.00', 'reversed 10.00 1000', 'reversed 10.00 1000', -1_000n],
  ['lost', '4.00', 'reversed 4.00 400', 'reversed 4.00 400', -400n],
  ['lost', undefined, 'reversed 0.00 0', 'reversed 0.00 0', 0n],
  ['won', '10.00', 'reversed 10.00 1000', 'refunded 0.00 0', 0n],
  ['won', '4.00', 'reversed 4.00 400', 'success 0.00 0', 600n],
] as const)
  test(`£10, refunded by ${refunded ?? 'nothing'} and then ${card} in a dispute: the loss and every record agree`, async () => {
    const leftBefore = await leftByTotals()
    const payment = await paidWith(card)
    if (refunded !== undefined) await refund(house, payment, { amount: refunded })
    await pass(5_000)
    assert.equal(await standing(payment), open)
    const late = await refund(house, payment)
    assert.deepEqual([late.status, late.json.code], [409, 'not_refundable'])
    await pass(60_000)
    assert.equal(await standing(payment), decided)
    assert.equal(await readBalance(house.db, payment, clock.now()), left)
    assert.equal((await leftByTotals()) - leftBefore, left)
  })

test('a merchant and an operator are warned of the loss, with an explanation', async () => {
  const payment = await paidWith('lost')
  await refund(house, payment)
  await pass(5_000)
  const sentence = 'This payment made a loss of £10.00: you refunded £10.00, and the bank also took £10.00.'
  const { dispute } = await look(payment)
  for (const path of ['', `/disputes/${dispute.id}`, `/payments/${payment.number}`])
    assert.ok((await see(path)).includes(sentence), path)
  assert.match(await see(`/disputes/${dispute.id}`), /Proof of your refund/)
  const warnings = house
    .log()
    .split('\n')
    .filter((line) => line.includes('it made a loss') && line.includes(payment.number))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /"lossMinor":"1000"/)
  const mails = await house.db.query<{ body: string }>(sql`
    select body from deliveries where kind = 'mail' and event = 'dispute.opened' and body like ${`%${payment.txRef}%`}`)
  assert.equal((JSON.parse(mails[0]?.body ?? '') as { loss: string }).loss, sentence)

  await house.db.query(sql`update disputes set state = 'under_review' where id = ${dispute.id}`)
  assert.match(await see(''), new RegExp(`Refunded and disputed: ${payment.txRef}`))
  await pass(60_000)
  assert.ok(!(await see('')).includes(payment.txRef + '</b>'), 'a decided dispute needs no attention')
})
