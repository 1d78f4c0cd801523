import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { minuteMs, openTill, type Till } from '../../../../test/support/till.ts'
import { makeTwins, newAttempt, twinNumbers, type Twins } from '../../../../test/support/twins.ts'
import { sql } from '../../../platform/database/sql.ts'
import { insertAttempts, type NewAttempt } from './insert-attempts-store.ts'

// What is known against an address or a card holds an attempt back until somebody has judged it; what is known against
// others does not.

let till: Till
let twins: Twins
let own: number
let other: number
before(async () => {
  till = await openTill()
})
beforeEach(async () => {
  twins = await makeTwins(till.db)
  ;[own, other] = twins.merchants
  // Not tried before: otherwise its own declines count, and it is always judged.
  await till.db.query(sql`delete from attempts where merchant_id = any(${[own, other]}) and number = ${open}`)
})
after(() => till.close())

const { open } = twinNumbers
const address = 'of-the-address'
const card = 'of-the-card'
const now = new Date()

function attempt(changes: Partial<NewAttempt> = {}): NewAttempt {
  const at = { started_at: now, next_check_at: now }
  return newAttempt({ merchant_id: own, address_hash: address, card_fingerprint: card, ...at, ...changes })
}

/** Leaves the payment as it was. */
async function begins(changes: Partial<NewAttempt> = {}): Promise<boolean> {
  const [begun] = await insertAttempts(till.db, own, [attempt(changes)])
  if (begun) {
    await till.db.query(sql`
      delete from attempts where merchant_id = ${own} and number = ${open} and attempt = ${begun.attempt}`)
  }
  return begun !== undefined
}

async function know(merchantId: number, mode: string, kind: string, name: string): Promise<void> {
  await till.db.query(sql`
    insert into decline_levels (merchant_id, mode, kind, name, level, level_at)
    values (${merchantId}, ${mode}, ${kind}, ${name}, 1, ${now})`)
}

async function attack(merchantId: number, mode: string, until: Date): Promise<void> {
  await till.db.query(sql`
    insert into card_attacks (merchant_id, mode, declines, counted_from, since, until)
    values (${merchantId}, ${mode}, 1, ${now}, ${now}, ${until})`)
}

for (const [kind, name, another] of [
  ['address', address, 'card'],
  ['card', card, 'address'],
] as const) {
  test(`declines of the same ${kind} hold back an attempt only at this merchant and in this mode`, async () => {
    await know(other, 'test', kind, name)
    await know(own, 'live', kind, name)
    await know(own, 'test', another, name)
    await know(own, 'test', kind, 'of-somebody-else')
    assert.equal(await begins(), true)
    await know(own, 'test', kind, name)
    assert.equal(await begins(), false)
    assert.equal(await begins({ is_judged: true }), true)
    assert.equal(await begins({ address_hash: null, card_fingerprint: null }), true, 'nobody counts')
  })
}

test('an attack on this merchant in this mode holds back every attempt until it ends', async () => {
  const soon = new Date(now.getTime() + minuteMs)
  await attack(other, 'test', soon)
  await attack(own, 'live', soon)
  assert.equal(await begins(), true)
  await attack(own, 'test', soon)
  assert.equal(await begins(), false)
  assert.equal(await begins({ is_judged: true }), true)
  assert.equal(await begins({ started_at: soon }), true)
})

test('an address with a pending challenge is checked only at its own merchant', async () => {
  const challenge = async (merchantId: number): Promise<void> => {
    await till.db.query(sql`
      update attempts set state = 'action_required', challenged_from = ${address}
      where merchant_id = ${merchantId} and number = ${twinNumbers.busy} and attempt = 2`)
  }
  await challenge(other)
  assert.equal(await begins(), true)
  await challenge(own)
  assert.equal(await begins(), false)
  assert.equal(await begins({ address_hash: 'of-somebody-else' }), true)
})

test('an attempt limited to a number starts as that or not at all', async () => {
  assert.equal(await begins({ only_as: 2 }), false)
  assert.equal(await begins({ only_as: 1 }), true)
})

test('a payment tried before starts only after the card-testing check', async () => {
  await insertAttempts(till.db, own, [attempt()])
  await till.db.query(sql`
    update attempts set state = 'declined', next_check_at = null, decline_reason = 'declined'
    where merchant_id = ${own} and number = ${open}`)
  const again = { idempotency_key: 'again' }
  assert.equal(await begins(again), false)
  assert.equal(await begins({ ...again, is_judged: true }), true)
})

test('a network’s page ends with its payment, but not earlier than the network allows', async () => {
  const { expires_at } = await till.read({ merchantId: own, number: open })
  const end = new Date(expires_at)
  const around = (ms: number): Date => new Date(end.getTime() + ms)
  const endOf = async (page: Date | null, least: Date): Promise<unknown> => {
    const pages = { page_expires_at: page, page_expires_least: least, account_id: 'acc_1', method: 'card' }
    const [begun] = await insertAttempts(till.db, own, [attempt(pages)])
    const [row] = await till.db.query<{ page_expires_at: string | null }>(sql`
      select page_expires_at from attempts
      where merchant_id = ${own} and number = ${open} and attempt = ${begun?.attempt ?? 0}`)
    await till.db.query(sql`
      delete from attempts where merchant_id = ${own} and number = ${open} and attempt = ${begun?.attempt ?? 0}`)
    return row?.page_expires_at && new Date(row.page_expires_at)
  }
  assert.deepEqual(await endOf(around(-minuteMs), now), around(-minuteMs))
  assert.deepEqual(await endOf(around(minuteMs), now), end)
  assert.deepEqual(await endOf(around(5 * minuteMs), around(minuteMs)), around(minuteMs))
  assert.equal(await endOf(null, now), null)
})
