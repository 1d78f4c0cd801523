import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { cardOf, openTill, type Till } from '../../../test/support/till.ts'
import { sql } from '../../platform/database/sql.ts'

// When a bank disputes a test card, and how long it takes.

const never = new AbortController().signal

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  till.rewind()
  await till.db.query(sql`update test_network.charges set next_tell_at = null`)
})

async function paidWith(number: string): Promise<string> {
  const key = await till.newPayment()
  assert.equal((await till.payer.pay(key, cardOf(number))).kind, 'paid')
  return (await till.attempts(key))[0]?.connector_reference ?? assert.fail()
}

async function standing(charge: string): Promise<string> {
  const news = { merchantId: till.merchantId, disputeReference: `dp_${charge}` }
  const told = await till.network.fetchDispute?.(news, never)
  return told ? `${told.kind} ${told.moneyTaken}` : 'none'
}

for (const [number, end] of [
  ['4000 0000 0000 2685', 'won false'],
  ['4000 0000 0000 0259', 'lost true'],
] as const) {
  test(`the card ${number} is disputed after five seconds, and ${end.split(' ')[0]} a minute later`, async () => {
    const charge = await paidWith(number)
    for (const [ms, expected] of [
      [4_999, 'none'],
      [1, 'evidence_due true'],
      [59_999, 'evidence_due true'],
      [1, end],
    ] as const) {
      till.forward(ms)
      assert.equal(await standing(charge), expected)
    }
  })
}

test('a test dispute is reported when opened, when decided and once more, then never again', async () => {
  const charge = await paidWith('4000 0000 0000 2685')
  const told = async (): Promise<number> => {
    const news = (await till.network.newsOfDisputes?.(10)) ?? []
    assert.ok(news.every(({ disputeReference }) => disputeReference === `dp_${charge}`))
    return news.length
  }
  for (const [ms, count] of [
    [4_999, 0],
    [1, 1],
    [0, 0],
    [59_999, 0],
    [1, 1],
    [59_999, 0],
    [1, 1],
    [86_400_000, 0],
  ] as const) {
    till.forward(ms)
    assert.equal(await told(), count)
  }
})

test('an undisputed card has no dispute', async () => {
  const charge = await paidWith('4242 4242 4242 4242')
  till.forward(86_400_000)
  assert.equal(await standing(charge), 'none')
  const stray = { merchantId: till.merchantId, disputeReference: charge }
  assert.equal(await till.network.fetchDispute?.(stray, never), undefined)
})

test('a dispute also takes money already refunded, and blocks refunds only while the bank holds the money', async () => {
  for (const [number, afterwards] of [
    ['4000 0000 0000 2685', 'succeeded'],
    ['4000 0000 0000 0259', 'failed charge_disputed'],
  ] as const) {
    const chargeReference = await paidWith(number)
    const refund = async (idempotencyKey: string): Promise<string> => {
      const names = { refundId: idempotencyKey, idempotencyKey, requestedAt: till.paying.now() }
      const charge = { connectorReference: chargeReference, chargeReference, chargedMinor: 123_450n }
      const money = { amountMinor: 100n, currency: 'GBP', refundedBeforeMinor: 0n }
      const order = { merchantId: till.merchantId, ...names, ...charge, ...money }
      const said = await till.network.refund(order, never)
      return said.kind === 'failed' ? `failed ${said.reason}` : said.kind
    }
    till.forward(4_999)
    assert.equal(await refund(`${number} early`), 'succeeded')
    till.forward(1)
    assert.equal(await standing(chargeReference), 'evidence_due true')
    assert.equal(await refund(`${number} late`), 'failed charge_disputed')
    assert.equal(await refund(`${number} early`), 'succeeded', 'a repeat is answered as before')
    till.forward(60_000)
    assert.equal(await refund(`${number} decided`), afterwards)
  }
})
