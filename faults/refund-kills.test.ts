import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCardRefunds } from '../test/support/networks/test-network-records.ts'
import { bySystem } from '../src/core/audit/audit.ts'
import { readMerchant } from '../src/core/merchants/authenticate.ts'
import type { Paying } from '../src/core/payments/attempts/paying.ts'
import type { PaymentKey } from '../src/core/payments/store.ts'
import { reconcileRefunds } from '../src/modules/refunds/reconcile-refunds.ts'
import type { Refunding } from '../src/modules/refunds/refunding.ts'
import { requestRefund } from '../src/modules/refunds/request-refund.ts'
import { listOfPayments } from '../src/modules/refunds/store.ts'
import { cards, openTill, type Till } from '../test/support/till.ts'
import { makeRandom } from './random.ts'

// A server that is gone at a chosen moment of a refund, again and again on the same payments, from the network's
// acceptance to our commit. `REFUND_KILLS=1000 npm test -- faults/refund-kills.test.ts` is the long form; processes that
// are really killed are in refund-points.long.test.ts.

const kills = Number(process.env['REFUND_KILLS'] ?? 60)
const moments = ['before it is sent', 'after the network has it', 'in the commit of its end'] as const
type Moment = (typeof moments)[number]
const partsMax = 5
const partMinor = 100n

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

/** Nothing is done after it, not even noting that no answer came: the log is the first thing that would be told. */
function dyingAt(moment: Moment): Refunding {
  if (moment === 'in the commit of its end') {
    return refundingOf({ ...till.paying, outbox: { ...till.paying.outbox, write: die } })
  }
  const network = till.with({
    async refund(order, signal) {
      if (moment === 'after the network has it') await till.network.refund(order, signal)
      return die()
    },
  })
  const warn = (): never => {
    throw new Error('The server is gone')
  }
  return refundingOf({
    ...network,
    log: Object.assign(Object.create(network.log) as Paying['log'], { warn }),
  })
}

async function die(): Promise<never> {
  throw new Error('The server is gone')
}

function refundingOf(paying: Paying): Refunding {
  const { db, log, now } = paying
  return {
    db,
    log,
    now,
    paying,
    findMerchant: async (merchantId) => readMerchant(till.db, merchantId),
    metrics: { refundMoved: () => {} },
  }
}

/** Whether the server died: a refund behind another that is unsure is not sent at once, and nobody dies of it. */
async function killOnce(key: PaymentKey, refundRef: string, moment: Moment): Promise<boolean> {
  const request = { refundRef, amountMinor: partMinor, reason: undefined }
  let died = false
  await requestRefund(dyingAt(moment), await till.read(key), request, bySystem).catch((error: Error) => {
    assert.equal(error.message, 'The server is gone')
    died = true
  })
  return died
}

test(`${kills} servers die during a refund: no refund is lost or doubled`, { timeout: 600_000 }, async () => {
  const random = makeRandom(20261115)
  const others = refundingOf(till.paying)
  for (let killed = 0; killed < kills;) {
    // Payments expire by the clock of the database, which the till's must not outrun.
    till.rewind()
    const key = await till.newPayment()
    await till.payer.pay(key, cards.good)
    const parts = random.whole(1, partsMax)
    for (let part = 1; part <= parts; part += 1) {
      const refundRef = `${key.number}-${part}`
      if (await killOnce(key, refundRef, random.pick(moments))) killed += 1
      till.forward(random.pick([1_000, 31_000]))
      // The program heard nothing and asks again; another server answers, or a worker was quicker.
      if (random.chance(0.5)) {
        const request = { refundRef, amountMinor: partMinor, reason: undefined }
        assert.ok((await requestRefund(others, await till.read(key), request, bySystem)).isRepeat)
      }
      if (random.chance(0.3)) await reconcileRefunds(others)
    }
    till.forward(61_000)
    while ((await reconcileRefunds(others)) > 0);
    const sum = BigInt(parts) * partMinor
    assert.deepEqual(await readCardRefunds(till.db, key), { count: parts, sumMinor: sum })
    assert.equal((await till.read(key)).refunded_minor, sum)
    const refunds = await listOfPayments(till.db, key.merchantId, [key.number])
    assert.deepEqual(new Set(refunds.map(({ state }) => state)), new Set(['succeeded']))
  }
})
