import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { disputeStatus, insertCharge } from '../../../test/support/dispute-desk.ts'
import { makeFakeNetwork } from '../../../test/support/fake-network.ts'
import { dayMs, hourMs, minuteMs, openTill, type Till } from '../../../test/support/till.ts'
import type { DisputeStatus, HostedConnector } from '../../core/networks/hosted.ts'
import { sql } from '../../platform/database/sql.ts'
import { makeRecentMerchants } from '../../platform/jobs/lately.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { checkDisputes } from './check-disputes.ts'
import { checkReportedDispute } from './check-reported-dispute.ts'
import { recordAnswer } from './record-answer.ts'
import { listHistory, listOfPayment, type DisputeRow } from './store.ts'

// When a network is asked about a dispute that is known, and what its answers change.

const accountId = 'acc_fake'
let till: Till
let paying: Paying
let merchantId: number
/** What the network says, by dispute; where it says nothing no answer comes. */
let says: Map<string, DisputeStatus>
let asked: string[]

before(async () => {
  till = await openTill()
  ;({ merchantId } = till)
  const network: HostedConnector = {
    ...makeFakeNetwork(),
    credentials: [],
    async fetchDispute(_, reference) {
      asked.push(reference)
      return says.get(reference) ?? Promise.reject(new Error('connection reset'))
    },
  }
  paying = { ...till.paying, connectors: [network] }
})
after(() => till.close())

beforeEach(async () => {
  till.rewind()
  await till.db.query(sql`update disputes set next_check_at = null where merchant_id = ${merchantId}`)
  says = new Map()
  asked = []
})

type Disputed = { readonly number: string; readonly charge: string; readonly reference: string }

async function hear({ reference }: Disputed): Promise<string> {
  return checkReportedDispute(paying, { merchantId, connector: 'fake', accountId, reference })
}

async function opened(changes: Partial<DisputeStatus> = {}, of?: Disputed): Promise<Disputed> {
  const { number, charge } = of ?? (await insertCharge(till, { merchantId, accountId }))
  const disputed = { number, charge, reference: `du_${charge}_${of ? 'second' : 'first'}` }
  says.set(disputed.reference, disputeStatus(disputed, changes))
  assert.equal(await hear(disputed), 'asked')
  asked.length = 0
  return disputed
}

async function read({ number, reference }: Disputed): Promise<DisputeRow> {
  const found = await listOfPayment(till.db, { merchantId, number })
  return found.find((one) => one.reference === reference) ?? assert.fail()
}

async function historyOf(disputed: Disputed): Promise<number> {
  const { id } = await read(disputed)
  return (await listHistory(till.db, { merchantId, id })).length
}

async function shown({ number }: Disputed): Promise<string | undefined> {
  const { dispute } = await till.read({ merchantId, number })
  return dispute === null ? undefined : (JSON.parse(dispute) as { state: string }).state
}

test('an open dispute is checked less and less often, never too early', async () => {
  await opened()
  for (const pauseMs of [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 6 * hourMs]) {
    till.forward(pauseMs - 1)
    assert.equal(await checkDisputes(paying), 0, `${pauseMs - 1} ms`)
    till.forward(1)
    assert.equal(await checkDisputes(paying), 1, `${pauseMs} ms`)
  }
})

test('news about a dispute makes the next check soon again', async () => {
  const disputed = await opened()
  till.forward(30 * dayMs)
  assert.equal(await checkDisputes(paying), 1)
  says.set(disputed.reference, disputeStatus(disputed, { kind: 'under_review' }))
  till.forward(6 * hourMs)
  await checkDisputes(paying)
  till.forward(minuteMs)
  assert.equal(await checkDisputes(paying), 1)
})

test('a network that is down for months costs no checks, and is asked again ten minutes later', async () => {
  const disputed = await opened()
  const status = says.get(disputed.reference) ?? assert.fail()
  says.clear()
  for (const pauseMs of [minuteMs, 100 * dayMs, 300 * dayMs]) {
    till.forward(pauseMs)
    assert.equal(await checkDisputes(paying), 1)
  }
  assert.equal((await read(disputed)).checks, 0)
  says.set(disputed.reference, { ...status, kind: 'lost' })
  till.forward(10 * minuteMs - 1)
  assert.equal(await checkDisputes(paying), 0, 'somebody may be asking')
  till.forward(1)
  assert.equal(await checkDisputes(paying), 1)
  assert.equal((await read(disputed)).state, 'lost')
})

test('after 270 days checking stops and a person is told', async () => {
  const disputed = await opened()
  till.forward(270 * dayMs - 1)
  await checkDisputes(paying)
  assert.doesNotMatch(till.log(), /undecided for months/)
  till.forward(6 * hourMs)
  await checkDisputes(paying)
  assert.match(till.log(), /A dispute has been undecided for months; check it by hand/)
  till.forward(dayMs)
  assert.equal(await checkDisputes(paying), 0)
  says.set(disputed.reference, disputeStatus(disputed, { kind: 'lost' }))
  assert.equal(await hear(disputed), 'asked', 'a callback still makes us ask')
  assert.equal((await read(disputed)).state, 'lost')
})

test('a check delayed by a wrong clock is due now', async () => {
  await opened()
  for (const [aheadMs, due] of [
    [12 * hourMs, 0],
    [12 * hourMs + 1, 1],
  ] as const) {
    const at = new Date(till.paying.now().getTime() + aheadMs)
    await till.db.query(sql`update disputes set next_check_at = ${at} where next_check_at is not null`)
    assert.equal(await checkDisputes(paying), due, `${aheadMs} ms ahead`)
  }
})

test('while the search over all merchants fails, merchants with recent disputes are still visited', async (t) => {
  await opened()
  const lately = makeRecentMerchants()
  till.forward(minuteMs)
  assert.equal(await checkDisputes(paying, lately), 1)
  till.db.look = async () => Promise.reject(new Error('its node is silent'))
  t.after(() => Reflect.deleteProperty(till.db, 'look'))
  till.forward(10 * minuteMs)
  assert.equal(await checkDisputes(paying, lately), 1)
  await assert.rejects(checkDisputes(paying), /its node is silent/, 'nobody is known')
})

const changes: Readonly<Record<string, Partial<DisputeStatus>>> = {
  'a new deadline': { evidenceDueAt: new Date('2026-12-24T12:00:00Z') },
  'another reason': { reason: 'duplicate' },
  'another amount': { money: { amountMinor: 999n, currency: 'GBP' } },
  'money that was given back': { moneyTaken: false },
  'evidence that was sent': { kind: 'under_review' },
}

for (const [what, change] of Object.entries(changes)) {
  test(`${what} is news, and the same answer again is not`, async () => {
    const disputed = await opened()
    assert.equal(await historyOf(disputed), 1)
    await hear(disputed)
    assert.equal(await historyOf(disputed), 1)
    says.set(disputed.reference, disputeStatus(disputed, change))
    await hear(disputed)
    await hear(disputed)
    assert.equal(await historyOf(disputed), 2)
  })
}

test('a reason is cut to 100 characters', async () => {
  const disputed = await opened({ reason: 'x'.repeat(101) })
  assert.equal((await read(disputed)).reason, 'x'.repeat(100))
})

test('an answer counts only if its request was made after the last one that counted', async () => {
  const disputed = await opened()
  const row = await read(disputed)
  for (const [ask, state] of [
    [row.answered - 1, 'evidence_due'],
    [row.answered, 'evidence_due'],
    [row.answered + 1, 'under_review'],
  ] as const) {
    await recordAnswer(paying, row, { ask, status: disputeStatus(disputed, { kind: 'under_review' }) })
    assert.equal((await read(disputed)).state, state, `question ${ask}`)
  }
})

test('an open dispute is shown before a decided one, even if it is older', async () => {
  const first = await opened({ kind: 'under_review' })
  till.forward(minuteMs)
  const second = await opened({}, first)
  assert.equal(await shown(first), 'evidence_due')
  says.set(second.reference, disputeStatus(second, { kind: 'won', moneyTaken: false }))
  await hear(second)
  assert.equal(await shown(first), 'under_review')
  says.set(first.reference, disputeStatus(first, { kind: 'lost' }))
  await hear(first)
  assert.equal(await shown(first), 'won', 'the newest, when both are decided')
})

test('during an appeal a lost dispute stays lost, and so does the money', async () => {
  const disputed = await opened({ kind: 'lost' })
  for (const kind of ['evidence_due', 'under_review'] as const) {
    says.set(disputed.reference, disputeStatus(disputed, { kind }))
    await hear(disputed)
    assert.equal((await read(disputed)).state, 'lost')
    assert.equal((await till.read({ merchantId, number: disputed.number })).state, 'reversed')
  }
})
