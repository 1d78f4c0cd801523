import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows, type Values } from '../../../../test/support/rows.ts'
import { attemptByCard } from '../../../../test/support/scripted-networks.ts'
import { hourMs, openTill, type Till } from '../../../../test/support/till.ts'
import { declineReasons, type DeclineReason } from '../../networks/connector.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { CardTesting } from '../card-testing/card-testing.ts'
import { makeApplyOutcome } from './apply-outcome.ts'
import { attemptKey, type AttemptRow } from './attempt-store.ts'
import type { NetworkOutcome } from './network-word.ts'

// What whoever tests cards learns from an outcome, and what is counted of it.

let till: Till
before(async () => {
  till = await openTill()
})
beforeEach(async () => forget())
after(() => till.close())

const declined = (reason: DeclineReason): NetworkOutcome => ({ kind: 'declined', reason })
const charged: NetworkOutcome = { kind: 'charged', connectorReference: 'tn_1' }

async function forget(): Promise<void> {
  await till.db.queryAll([
    sql`delete from decline_levels where merchant_id = ${till.merchantId}`,
    sql`delete from card_attacks where merchant_id = ${till.merchantId}`,
  ])
}

async function underAttack(...modes: Mode[]): Promise<void> {
  const now = till.paying.now()
  const until = new Date(now.getTime() + hourMs)
  const rows = modes.map((mode) => ({ mode, declines: 1, counted_from: now, since: now, until }))
  await insertRows(
    till.db,
    'card_attacks',
    rows.map((row) => ({ merchant_id: till.merchantId, ...row })),
  )
}

/** What the customer is told, of outcomes that arrive together. */
async function reasonsOf(words: readonly NetworkOutcome[]): Promise<unknown[]> {
  const arrived: [AttemptRow, NetworkOutcome][] = []
  for (const word of words) arrived.push([await attemptByCard(till, { state: 'unknown' }), word])
  const applied = await Promise.all(
    arrived.map(async ([attempt, word]) => till.paying.applyOutcome(attemptKey(attempt), word)),
  )
  return applied.map(({ decline_reason }) => decline_reason)
}

/** They say nothing about a card that somebody types. */
const ofSavedMethods: readonly DeclineReason[] = ['needs_customer', 'method_ended', 'network_silent']

test('under attack decline reasons are hidden, but not what a customer did and what concerns saved methods', async () => {
  const words = declineReasons.map(declined)
  const coarse = declineReasons.map((reason) =>
    reason.startsWith('challenge_') || ofSavedMethods.includes(reason) ? reason : 'declined',
  )
  assert.deepEqual(await reasonsOf([...words, charged]), [...declineReasons, null])
  await underAttack('live')
  assert.deepEqual(await reasonsOf([...words, charged]), [...declineReasons, null])
  await underAttack('test')
  assert.deepEqual(await reasonsOf([...words, charged]), [...coarse, null])
  assert.deepEqual(await reasonsOf([declined('wrong_cvc')]), ['declined'])
})

test('under attack a charge without the customer keeps the reason of the bank', async () => {
  await underAttack('test')
  const attempt = await attemptByCard(till, { state: 'unknown' })
  await till.db.query(sql`
    update payments set saving = '{"charges":"svm_1"}'
    where merchant_id = ${till.merchantId} and number = ${attempt.number}`)
  const { decline_reason: reason } = await till.paying.applyOutcome(
    attemptKey(attempt),
    declined('expired_card'),
  )
  assert.equal(reason, 'expired_card')
})

/** As much of it as outcomes use. */
const cardTesting = {
  limits: { freeDeclines: 5, attackDeclines: 100, attackPercent: 80 },
} as CardTesting

async function counted(): Promise<unknown[]> {
  const levels = await till.db.query<{ mode: string; name: string; level: number }>(sql`
    select mode, name, level from decline_levels where merchant_id = ${till.merchantId} order by name`)
  const attacks = await till.db.query<{ mode: string; declines: number }>(sql`
    select mode, declines from card_attacks where merchant_id = ${till.merchantId}`)
  return [
    ...levels.map(({ mode, name, level }) => `${mode} ${name} ${level}`),
    ...attacks.map(({ mode, declines }) => `${mode} ${declines}`),
  ]
}

test('only declines and abandoned challenges are counted, by address and card', async () => {
  const trace = { address_hash: 'adr', card_fingerprint: 'crd' }
  const once = ['test adr 1', 'test crd 1', 'test 1']
  const rows: [Values, NetworkOutcome, string[]][] = [
    [trace, declined('wrong_cvc'), once],
    [{ ...trace, state: 'action_required' }, declined('challenge_abandoned'), once],
    [trace, declined('processing_error'), ['test adr 1', 'test crd 1']],
    [trace, declined('network_silent'), []],
    [{ ...trace, state: 'started' }, declined('network_silent'), []],
    [trace, charged, []],
    [{ ...trace, state: 'started' }, { kind: 'no_answer' }, []],
    [{ ...trace, state: 'declined' }, declined('wrong_cvc'), []],
    [{}, declined('wrong_cvc'), []],
  ]
  const apply = makeApplyOutcome({ ...till.paying, cardTesting })
  for (const [changes, word, expected] of rows) {
    await forget()
    const attempt = await attemptByCard(till, { state: 'unknown', ...changes })
    await apply(attemptKey(attempt), word)
    assert.deepEqual(await counted(), expected, JSON.stringify([changes, word]))
  }
  await till.paying.applyOutcome(attemptKey(await attemptByCard(till, trace)), declined('wrong_cvc'))
  assert.deepEqual(await counted(), [], 'where card testing is not looked for')
})
