import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { cardOf, openTill, type Till } from '../../../test/support/till.ts'
import { sql } from '../../platform/database/sql.ts'
import type { DisputeReply } from '../networks/dispute-replies.ts'

// Disputes that stay open until the merchant answers.

const never = new AbortController().signal
const dayMs = 86_400_000

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  till.rewind()
  await till.db.query(sql`update test_network.charges set next_tell_at = null`)
})

/** The name of a dispute that was just opened. */
async function opened(number = '4000 0000 0000 4400'): Promise<string> {
  const key = await till.newPayment()
  assert.equal((await till.payer.pay(key, cardOf(number))).kind, 'paid')
  till.forward(5_000)
  return `dp_${(await till.attempts(key))[0]?.connector_reference ?? assert.fail()}`
}

async function standing(disputeReference: string): Promise<string> {
  const told = await till.network.fetchDispute?.({ merchantId: till.merchantId, disputeReference }, never)
  return told ? `${told.kind} ${told.moneyTaken}` : 'none'
}

async function reply(dispute: string, text: string | undefined, key = `rpl_${dispute}`): Promise<string> {
  const evidence = { texts: text === undefined ? {} : { explanation: text }, files: [] }
  const named = { disputeReference: dispute, idempotencyKey: key, evidence }
  const given: DisputeReply = { kind: text === undefined ? 'acceptance' : 'evidence', ...named }
  const replies = till.network.disputeReplies?.(till.merchantId) ?? assert.fail()
  const result = await replies.reply(given, never)
  assert.equal((await replies.fetchReply(given, never)).kind, result.kind === 'sent' ? 'sent' : 'not_sent')
  return result.kind === 'refused' ? result.why : result.kind
}

test('the card 4400 is disputed until it is answered, and lost after thirty days without an answer', async () => {
  const dispute = await opened()
  for (const [ms, expected] of [
    [60_000, 'evidence_due true'],
    [30 * dayMs - 60_001, 'evidence_due true'],
    [1, 'lost true'],
  ] as const) {
    till.forward(ms)
    assert.equal(await standing(dispute), expected)
  }
  assert.equal(await reply(dispute, 'winning_evidence'), 'The dispute is already decided')
})

for (const [text, end] of [
  ['My winning_evidence.', 'won false'],
  ['Delivered', 'lost true'],
] as const)
  test(`evidence that says “${text}” is reviewed for five seconds, and ${end.split(' ')[0]}`, async () => {
    const dispute = await opened()
    till.forward(dayMs)
    assert.equal(await reply(dispute, text), 'sent')
    assert.equal(await standing(dispute), 'under_review true')
    till.forward(4_999)
    assert.equal(await standing(dispute), 'under_review true')
    till.forward(1)
    assert.equal(await standing(dispute), end)
    assert.equal(await reply(dispute, 'more', 'rpl_more'), 'The dispute was already answered')
  })

test('an accepted dispute is lost at once, whatever its card', async () => {
  for (const number of ['4000 0000 0000 4400', '4000 0000 0000 2685']) {
    const dispute = await opened(number)
    assert.equal(await reply(dispute, undefined), 'sent')
    assert.equal(await standing(dispute), 'lost true')
    till.forward(2 * 60_000)
    assert.equal(await standing(dispute), 'lost true')
  }
})

test('a card that decides by itself does so whatever is sent', async () => {
  const dispute = await opened('4000 0000 0000 0259')
  assert.equal(await reply(dispute, 'winning_evidence'), 'sent')
  till.forward(59_999)
  assert.equal(await standing(dispute), 'under_review true')
  till.forward(1)
  assert.equal(await standing(dispute), 'lost true')
})

test('an unknown dispute, and one that opens later, take no answer', async () => {
  assert.equal(await reply('dp_unknown', 'x'), 'There is no such dispute')
  const dispute = await opened()
  till.forward(-1)
  assert.equal(await reply(dispute, 'x'), 'There is no such dispute')
  till.forward(1)
})

test('an answer is reported when it is decided', async () => {
  const dispute = await opened()
  const news = async (): Promise<number> => {
    const told = (await till.network.newsOfDisputes?.(100)) ?? []
    return told.filter(({ disputeReference }) => disputeReference === dispute).length
  }
  assert.equal(await news(), 1)
  till.forward(dayMs)
  assert.equal(await news(), 0)
  await reply(dispute, 'winning_evidence')
  till.forward(4_999)
  assert.equal(await news(), 0)
  till.forward(1)
  assert.equal(await news(), 1)
  till.forward(60_000)
  assert.equal(await news(), 1)
  till.forward(dayMs)
  assert.equal(await news(), 0)
})
