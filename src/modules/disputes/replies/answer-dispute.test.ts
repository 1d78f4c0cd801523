import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { cardOf, dayMs, minuteMs, openTill, type Till } from '../../../../test/support/till.ts'
import type { Actor } from '../../../core/audit/audit.ts'
import { sql } from '../../../platform/database/sql.ts'
import { MadeBefore } from '../../../platform/errors/made-before.ts'
import type { Paying } from '../../../core/payments/attempts/paying.ts'
import { checkDisputes } from '../check-disputes.ts'
import { askAgain } from '../check-reported-dispute.ts'
import { findById, listOfPayment, type DisputeRow } from '../store.ts'
import { answerDispute, repliesOf, whyNotAnswerable, type NewReply } from './answer-dispute.ts'
import { takesReplies } from './network-replies.ts'

// Answers to disputes at the test network, and what happens when its answer is lost.

const by: Actor = { kind: 'person', name: 'per_1' }
let till: Till
let ids = 0
before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  till.rewind()
  await till.db.query(sql`update disputes set next_check_at = null`)
  await till.db.query(sql`update test_network.charges set next_tell_at = null`)
})

async function disputed(): Promise<DisputeRow> {
  const key = await till.newPayment()
  assert.equal((await till.payer.pay(key, cardOf('4000 0000 0000 4400'))).kind, 'paid')
  till.forward(5_000)
  await checkDisputes(till.paying)
  return (await listOfPayment(till.db, key))[0] ?? assert.fail()
}

function evidence(changes: Partial<NewReply> = {}): NewReply {
  ids += 1
  const texts = { explanation: 'winning_evidence', product_description: 'A secret chair' }
  return { id: `rpl_${ids}`, kind: 'evidence', evidence: { texts, files: [] }, ...changes }
}

const keyOf = ({ merchant_id: merchantId, id }: DisputeRow) => ({ merchantId, id })

async function standing(dispute: DisputeRow): Promise<string> {
  const [reply] = await repliesOf(till.db, till.merchantId, [dispute])
  return `${(await findById(till.db, keyOf(dispute)))?.state} ${reply?.state}`
}

/** A till whose network does or does not get the reply, and whose answer is lost. */
function deaf(how: { readonly hears: boolean; readonly says?: boolean }): {
  paying: Paying
  sent: () => number
} {
  let sent = 0
  const paying = till.with({
    disputeReplies: (merchantId) => {
      const real = till.network.disputeReplies?.(merchantId) ?? assert.fail()
      return {
        async reply(reply, signal) {
          sent += 1
          if (how.hears) await real.reply(reply, signal)
          throw new Error('connection reset')
        },
        async fetchReply(...asked) {
          if (how.says === false) throw new Error('connection reset')
          return real.fetchReply(...asked)
        },
      }
    },
  })
  return { paying, sent: () => sent }
}

test('evidence is written down without its words, sent, and followed to the decision', async () => {
  const dispute = await disputed()
  const reply = evidence()
  assert.deepEqual(await answerDispute(till.paying, keyOf(dispute), reply, by), { kind: 'sent' })
  assert.equal(await standing(dispute), 'under_review sent')
  const [stored] = await repliesOf(till.db, till.merchantId, [dispute])
  assert.deepEqual([stored?.parts, stored?.actor], [['explanation', 'product_description'], 'per_1'])
  const rows = await till.db.query<{ entry: string }>(sql`
    select audit_log::text as entry from audit_log where action = 'dispute.answered'`)
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.entry ?? '', new RegExp(`per_1.*${dispute.tx_ref}`))
  const kept = await till.db.query<{ row: string }>(sql`
    select dispute_replies::text as row from dispute_replies union all select audit_log::text from audit_log`)
  assert.doesNotMatch(kept.map(({ row }) => row).join(), /secret chair/)
  await assert.rejects(answerDispute(till.paying, keyOf(dispute), reply, by), MadeBefore)
  till.forward(5_000)
  await checkDisputes(till.paying)
  assert.equal(await standing(dispute), 'won sent')
})

test('accepting loses the dispute at once', async () => {
  const dispute = await disputed()
  const reply = evidence({ kind: 'acceptance', evidence: { texts: {}, files: [] } })
  assert.deepEqual(await answerDispute(till.paying, keyOf(dispute), reply, by), { kind: 'sent' })
  assert.equal(await standing(dispute), 'lost sent')
  const rows = await till.db.query(sql`select 1 from audit_log where action = 'dispute.accepted'`)
  assert.equal(rows.length, 1)
})

test('two answers at once are one', async () => {
  const dispute = await disputed()
  const ends = await Promise.allSettled(
    [1, 2, 3].map(async () => answerDispute(till.paying, keyOf(dispute), evidence(), by)),
  )
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await repliesOf(till.db, till.merchantId, [dispute])).length, 1)
})

test('a network’s refusal is kept in its own words, and the dispute can be answered again', async () => {
  const dispute = await disputed()
  const why = 'No. '.repeat(200)
  const refusing = till.with({
    disputeReplies: () => ({
      reply: async () => ({ kind: 'refused', why }),
      fetchReply: async () => assert.fail('it answered'),
    }),
  })
  assert.deepEqual(await answerDispute(refusing, keyOf(dispute), evidence(), by), { kind: 'refused', why })
  const [refused] = await repliesOf(till.db, till.merchantId, [dispute])
  assert.deepEqual([refused?.state, refused?.failure], ['refused', why.slice(0, 500)])
  till.forward(1)
  assert.equal((await answerDispute(till.paying, keyOf(dispute), evidence(), by)).kind, 'sent')
})

for (const [hears, end, stands] of [
  [true, 'sent', 'under_review sent'],
  [false, 'not_sent', 'evidence_due not_sent'],
] as const)
  test(`when the answer is lost, the network says at once that the reply is ${end}`, async () => {
    const dispute = await disputed()
    const { paying, sent } = deaf({ hears })
    assert.deepEqual(await answerDispute(paying, keyOf(dispute), evidence(), by), { kind: end })
    assert.equal(await standing(dispute), stands)
    assert.equal(sent(), 1)
  })

for (const [hears, stands] of [
  [true, 'won sent'],
  [false, 'evidence_due not_sent'],
] as const)
  test(`a reply of unknown end is asked about until it is ${stands}, and never sent again`, async () => {
    const dispute = await disputed()
    const silent = deaf({ hears, says: false })
    assert.deepEqual(await answerDispute(silent.paying, keyOf(dispute), evidence(), by), { kind: 'unknown' })
    assert.equal(await standing(dispute), 'evidence_due requested')
    await assert.rejects(
      answerDispute(till.paying, keyOf(dispute), evidence(), by),
      /earlier answer is on its way/,
    )
    // A callback makes Florin ask about the dispute, while whoever sent the reply may still be waiting for its answer.
    till.forward(2 * minuteMs - 1)
    await askAgain(till.paying, dispute)
    assert.match(await standing(dispute), / requested$/)
    till.forward(2 * minuteMs)
    await checkDisputes(silent.paying)
    assert.match(await standing(dispute), / requested$/, 'it still does not say')
    till.forward(10 * minuteMs)
    await checkDisputes(till.paying)
    assert.equal(await standing(dispute), stands)
    assert.equal(silent.sent(), 1)
  })

test('a network that takes no replies is answered elsewhere', async () => {
  const dispute = await disputed()
  const { bank, paying } = till
  assert.equal(takesReplies(paying, 'test-network'), true)
  assert.equal(takesReplies(paying, 'test-bank'), false)
  const other = { ...paying, connectors: [{ ...bank, name: dispute.connector }] }
  await assert.rejects(answerDispute(other, keyOf(dispute), evidence(), by), /takes no answers/)
  await assert.rejects(answerDispute(paying, { merchantId: 1, id: 'dsp_x' }, evidence(), by), /not found/)
})

const opened = '2026-11-18T12:00:00.000000Z'
const due = new Date(Date.parse(opened) + dayMs).toISOString()
const open = { state: 'evidence_due', updated_at: opened, evidence_due_at: due } as const
const later = '2026-11-18T13:00:00.000000Z'

for (const [what, dispute, replies, now, reason] of [
  ['an open dispute', open, [], later, undefined],
  ['a dispute without a date', { ...open, evidence_due_at: null }, [], later, undefined],
  ['a dispute a moment before it is due', open, [], new Date(Date.parse(due) - 1).toISOString(), undefined],
  ['a dispute that is due now', open, [], due, /time to answer this dispute is over/],
  ['a dispute under review', { ...open, state: 'under_review' }, [], later, /needs no answer now/],
  ['a reply on its way', open, [{ state: 'requested', ended_at: null }], later, /on its way/],
  ['a refused reply', open, [{ state: 'refused', ended_at: later }], later, undefined],
  ['a reply that was sent', open, [{ state: 'sent', ended_at: later }], later, /has been answered/],
  [
    'a reply before the bank asked again',
    { ...open, updated_at: later },
    [{ state: 'sent', ended_at: opened }],
    later,
    undefined,
  ],
] as const)
  test(`${what} ${reason ? 'can’t' : 'can'} be answered`, () => {
    const found = whyNotAnswerable(dispute, replies, new Date(now))
    if (reason) assert.match(found ?? '', reason)
    else assert.equal(found, undefined)
  })
