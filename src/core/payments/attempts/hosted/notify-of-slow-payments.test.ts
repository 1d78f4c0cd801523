import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attemptOnPage } from '../../../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../../../test/support/till.ts'
import { sql } from '../../../../platform/database/sql.ts'
import { makeApplyOutcome } from '../apply-outcome.ts'
import { attemptKey, type AttemptRow } from '../attempt-store.ts'
import type { NetworkOutcome } from '../network-word.ts'
import type { TakesDays } from './notify-of-slow-payments.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const pending: NetworkOutcome = { kind: 'pending' }
const refused: NetworkOutcome = { kind: 'declined', reason: 'declined' }

/** The mails to the customer, by event and template, once these words of the network were heard. */
async function mailsAfter(
  words: readonly NetworkOutcome[],
  takesDays: boolean | TakesDays,
): Promise<string[]> {
  const attempt = await attemptOnPage(till)
  const slow = typeof takesDays === 'boolean' ? () => takesDays : takesDays
  const apply = makeApplyOutcome({ ...till.paying, takesDays: slow })
  for (const word of words) await apply(attemptKey(attempt), word)
  return mailsOf(attempt)
}

async function mailsOf({ merchant_id, number }: AttemptRow): Promise<string[]> {
  const rows = await till.db.query<{ event: string; body: string }>(sql`
    select event, body from deliveries
    where merchant_id = ${merchant_id} and number = ${number} and kind = 'mail' order by created_at, id`)
  return rows.map(({ event, body }) => `${event} ${(JSON.parse(body) as { template: string }).template}`)
}

test('a payment that takes days sends one e-mail when it is on its way', async () => {
  assert.deepEqual(await mailsAfter([pending, pending], true), ['payment.on_its_way on_its_way'])
})

test('a slow payment that never arrives sends an e-mail too', async () => {
  const mails = await mailsAfter([pending, refused], true)
  assert.deepEqual(mails, ['payment.on_its_way on_its_way', 'payment.not_arrived failure'])
})

test('an immediate decision sends no e-mail about a slow payment, and neither does a decline on the page', async () => {
  assert.deepEqual(await mailsAfter([pending, refused], false), [])
  assert.deepEqual(await mailsAfter([refused], true), [])
})

test('an approval is not on its way: the mail goes out once the capture takes days', async () => {
  const captures: TakesDays = (_, isTold) => isTold
  const approved: NetworkOutcome = { kind: 'approved' }
  const taken: NetworkOutcome = { kind: 'pending', chargeReference: 'ch_1' }
  assert.deepEqual(await mailsAfter([approved, refused], captures), [])
  const mails = await mailsAfter([approved, taken, taken, refused], captures)
  assert.deepEqual(mails, ['payment.on_its_way on_its_way', 'payment.not_arrived failure'])
})
