import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readCardRefunds } from '../test/support/networks/test-network-records.ts'
import { readMerchant } from '../src/core/merchants/authenticate.ts'
import type { Payable } from '../src/core/payments/attempts/pay.ts'
import { reconcileRefunds } from '../src/modules/refunds/reconcile-refunds.ts'
import type { Refunding } from '../src/modules/refunds/refunding.ts'
import { listOfPayments } from '../src/modules/refunds/store.ts'
import { cards, openTill, type Till } from '../test/support/till.ts'

// Processes that are really killed between the network's acceptance of a refund and our commit, ten refunds in each.
// `REFUND_VICTIMS=1000 npm test -- faults/refund-victims.test.ts` is the long form: as many refunds, a tenth of the kills.

const victims = Number(process.env['REFUND_VICTIMS'] ?? 20)
const atOnce = 10
const rounds = Math.ceil(victims / atOnce)

let till: Till
let payments: readonly Payable[]
before(async () => {
  till = await openTill()
  payments = await Promise.all(Array.from({ length: atOnce }, async () => till.newPayment()))
  for (const key of payments) assert.equal((await till.payer.pay(key, cards.good)).kind, 'paid')
})
after(() => till.close())

async function killOne(round: number): Promise<void> {
  const program = fileURLToPath(new URL('refund-victim.ts', import.meta.url))
  const numbers = payments.map(({ number }) => number).join(',')
  const args = [program, till.db.url, String(till.merchantId), numbers, `round-${round}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  assert.equal(signal, 'SIGKILL', 'it dies by its own hand, when the network has all of them')
}

async function countStates(): Promise<Record<string, number>> {
  const numbers = payments.map(({ number }) => number)
  const counts: Record<string, number> = {}
  for (const { state } of await listOfPayments(till.db, till.merchantId, numbers))
    counts[state] = (counts[state] ?? 0) + 1
  return counts
}

test(
  `${rounds * atOnce} refunds lose their server after the network took them: none is lost or doubled`,
  { timeout: 3_600_000 },
  async () => {
    const refunding: Refunding = {
      ...till.core,
      paying: till.paying,
      findMerchant: async (merchantId) => readMerchant(till.db, merchantId),
      metrics: { refundMoved: () => {} },
    }
    for (let round = 1; round <= rounds; round += 1) {
      await killOne(round)
      const earlier = (round - 1) * atOnce
      assert.deepEqual(await countStates(), { requested: atOnce, ...(earlier > 0 && { succeeded: earlier }) })
      till.rewind()
      till.forward(Date.now() - till.paying.now().getTime() + 31_000)
      while ((await reconcileRefunds(refunding)) > 0);
      assert.deepEqual(await countStates(), { succeeded: round * atOnce })
      for (const key of payments) {
        const sumMinor = BigInt(round) * 100n
        assert.deepEqual(await readCardRefunds(till.db, key), { count: round, sumMinor })
        assert.equal((await till.read(key)).refunded_minor, sumMinor)
      }
    }
  },
)
