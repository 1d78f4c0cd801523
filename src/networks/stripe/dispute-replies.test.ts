import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import type { Dispute } from '../../../test/support/networks/stripe-books.ts'
import type { DisputeReplies, DisputeReply } from '../../core/networks/dispute-replies.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openStripe>>
let replies: DisputeReplies
before(async () => {
  world = await openStripe()
  replies = world.connector.disputeReplies?.(world.account) ?? assert.fail()
})
after(() => world.close())

async function disputed(kind?: 'inquiry'): Promise<Dispute> {
  const made = makeOrder({ connector: world.connector, currency: 'GBP', method: 'card' }, 1_999n)
  const page = { ...makePage(), expiresAt: new Date(world.now().getTime() + 3_600_000) }
  const opened = await world.connector.open(world.account, { ...made, startedAt: world.now() }, page, never)
  assert.equal(opened.kind, 'open')
  world.network.act(opened.connectorReference, 'pay')
  return world.network.dispute(opened.connectorReference, kind)
}

function replyTo({ id }: Dispute, changes: Partial<DisputeReply> = {}): DisputeReply {
  const texts = { product_description: 'A chair', tracking_number: 'RM123', explanation: 'It was delivered' }
  const files = [
    { field: 'receipt_file', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7\r\n\xff\0', 'latin1') },
    { field: 'delivery_file', type: 'image/png', bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') },
  ] as const
  const key = { disputeReference: id, idempotencyKey: `rpl_${id}` }
  return { kind: 'evidence', ...key, evidence: { texts, files }, ...changes }
}

test('evidence is uploaded, set by Stripe’s own field names and submitted', async () => {
  const dispute = await disputed()
  const reply = replyTo(dispute)
  assert.deepEqual(await replies.fetchReply(reply, never), { kind: 'not_sent' })
  assert.deepEqual(await replies.reply(reply, never), { kind: 'sent' })
  const { receipt = '', shipping_documentation: proof = '', ...texts } = dispute.evidence
  assert.deepEqual(texts, {
    product_description: 'A chair',
    shipping_tracking_number: 'RM123',
    uncategorized_text: 'It was delivered',
  })
  const uploaded = [receipt, proof].map((id) => world.network.books.files.get(id))
  assert.deepEqual(
    uploaded.map((file) => [file?.filename, file?.type, file?.size]),
    [
      ['receipt_file.pdf', 'pdf', 12],
      ['delivery_file.png', 'png', 8],
    ],
  )
  assert.deepEqual([dispute.status, dispute.evidence_details.submission_count], ['under_review', 1])
  assert.deepEqual(await replies.fetchReply(reply, never), { kind: 'sent' })
  const other = { ...reply, idempotencyKey: 'rpl_other' }
  assert.deepEqual(await replies.fetchReply(other, never), { kind: 'not_sent' }, 'somebody else’s answer')
})

test('evidence is taken once, and not after it was due', async () => {
  const dispute = await disputed('inquiry')
  assert.deepEqual(await replies.reply(replyTo(dispute), never), { kind: 'sent' })
  assert.equal(dispute.status, 'warning_under_review')
  const again = await replies.reply(replyTo(dispute, { idempotencyKey: 'rpl_again' }), never)
  assert.deepEqual([again.kind, 'why' in again && /already/.test(again.why)], ['refused', true])
  const late = await disputed()
  Object.assign(late.evidence_details, { due_by: 1 })
  const refused = await replies.reply(replyTo(late), never)
  assert.deepEqual([refused.kind, 'why' in refused && /deadline/.test(refused.why)], ['refused', true])
})

test('a file that Stripe refuses stops the answer before anything is submitted', async () => {
  const dispute = await disputed()
  const file = { field: 'other_file', type: 'application/pdf', bytes: Buffer.from('no PDF') } as const
  const refused = await replies.reply(replyTo(dispute, { evidence: { texts: {}, files: [file] } }), never)
  assert.deepEqual(
    [refused.kind, 'why' in refused && /PDF, JPEG or PNG/.test(refused.why)],
    ['refused', true],
  )
  assert.deepEqual([dispute.status, dispute.metadata], ['needs_response', {}])
})

test('accepting closes the dispute as lost, and one that is lost counts as accepted', async () => {
  const dispute = await disputed()
  const reply = replyTo(dispute, { kind: 'acceptance', evidence: { texts: {}, files: [] } })
  assert.deepEqual(await replies.fetchReply(reply, never), { kind: 'not_sent' })
  assert.deepEqual(await replies.reply(reply, never), { kind: 'sent' })
  assert.equal(dispute.status, 'lost')
  assert.deepEqual(await replies.fetchReply(reply, never), { kind: 'sent' })
  const stray = { ...reply, disputeReference: 'du_unknown' }
  assert.deepEqual(await replies.fetchReply(stray, never), { kind: 'not_sent' })
})

for (const when of ['before', 'after'] as const)
  test(`an answer cut off ${when} Stripe acted throws, and asking says whether it arrived`, async () => {
    const dispute = await disputed()
    const reply = replyTo(dispute)
    void world.network.turn({ kind: 'cuts', when }, { path: /disputes\/du_/, method: 'POST' })
    await assert.rejects(replies.reply(reply, never), /Stripe gave no answer/)
    const kind = when === 'after' ? 'sent' : 'not_sent'
    assert.deepEqual(await replies.fetchReply(reply, never), { kind })
  })
