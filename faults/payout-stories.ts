import assert from 'node:assert/strict'
import { checkPayouts } from '../test/support/check-payouts.ts'
import { makePayoutNetwork, type PayoutNetwork } from '../test/support/payout-network.ts'
import type { Till } from '../test/support/till.ts'
import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { askAccount } from '../src/modules/payouts/ask/ask-account.ts'
import { claimFeed, insertFeed } from '../src/modules/payouts/ask/feed-store.ts'
import type { Payouts } from '../src/modules/payouts/payouts.ts'
import { makeRandom } from './random.ts'

// Promise I16, as stories: a network books, pays out, fails and takes back at random, while whoever copies it is killed at a
// named point, asks twice at once, or comes late. After each look, lines, entries and balance agree to the minor unit.

const accountId = 'acc_fake'
const stepsMax = 12

/** Where a look is killed: before the network's next word, or before what was read is written. */
export const killPoints = ['payout', 'line', 'booking', 'balance', 'write'] as const

export async function playPayoutStory(till: Till, seed: number): Promise<void> {
  const random = makeRandom(seed)
  const merchantId = await createMerchant(till.db, { name: `Story ${seed}`, liveEnabled: true })
  const network = makePayoutNetwork(till.paying.now)
  const mortal = makeMortal({ ...till.paying, connectors: [network.connector] }, network)
  const feed = { merchant_id: merchantId, account_id: accountId, connector: 'fake', mode: 'live' as const }
  await insertFeed(till.db, feed, till.paying.now())
  const look = async (): Promise<void> => {
    const claimed = await claimFeed(till.db, { merchantId, accountId }, till.paying.now())
    await askAccount(mortal.payouts, claimed ?? assert.fail()).catch(() => {})
  }
  const steps = 3 + random.whole(0, stepsMax - 1)
  for (let step = 0; step < steps; step += 1) {
    till.forward(random.whole(0, 3 - 1) * 3_600_000 + 1)
    for (let count = random.whole(0, 4 - 1); count > 0; count -= 1) bookSomething(network, random)
    if (random.whole(0, 2 - 1) === 0)
      network.payOut({ lines: random.whole(0, 3 - 1) === 0 ? 'later' : 'ready' })
    for (const payout of network.payouts) moveSomewhere(network, payout.reference, random)
    const kind = random.whole(0, 4 - 1)
    if (kind === 0)
      mortal.killAt(killPoints[random.whole(0, killPoints.length - 1)] ?? 'line', 1 + random.whole(0, 4 - 1))
    if (kind === 1) await Promise.all([look(), look()])
    else await look()
    mortal.spare()
  }
  // Left alone, everything is told and copied.
  for (const { reference, lines } of network.payouts)
    if (lines === 'later') network.change(reference, { lines: 'ready' })
  await look()
  await checkPayouts(till.db, { merchantId, accountId }, network)
  await checkAllIsCopied(till.db, merchantId, network)
}

async function checkAllIsCopied(db: Database, merchantId: number, network: PayoutNetwork): Promise<void> {
  const [copied] = await db.query(sql`
    select (select count(*)::integer from payouts where merchant_id = ${merchantId} and lines = 'copied') as payouts,
      (select count(*)::integer from payout_lines where merchant_id = ${merchantId} and kind <> 'difference') as lines`)
  assert.deepEqual(
    copied,
    { payouts: network.payouts.length, lines: network.lines.length },
    'every payout is copied with its lines, and every booking',
  )
}

type Random = ReturnType<typeof makeRandom>

function bookSomething(network: PayoutNetwork, random: Random): void {
  const amount = BigInt(1 + random.whole(0, 5_000 - 1))
  const kind = random.whole(0, 5 - 1)
  if (kind === 0)
    network.book({ kind: 'refund', type: 'refund', grossMinor: -amount, feeMinor: 0n, taxMinor: 0n })
  else if (kind === 1)
    network.book({ kind: 'fee', type: 'fee', grossMinor: 0n, feeMinor: amount / 50n, taxMinor: 1n })
  else network.book({ grossMinor: amount })
}

const moves = ['announced', 'on_its_way', 'arrived', 'failed'] as const

/** Forward, back again or to where it can't go: an old report, say. */
function moveSomewhere(network: PayoutNetwork, reference: string, random: Random): void {
  if (random.whole(0, 2 - 1) === 0) return
  network.change(reference, { status: moves[random.whole(0, moves.length - 1)] ?? 'arrived' })
}

/** The process that copies: it can be killed before the so-manieth word of a kind. */
function makeMortal(payouts: Payouts, network: PayoutNetwork) {
  let [point, left]: [string, number] = ['', 0]
  const die = (at: string): void => {
    if (at === point && (left -= 1) === 0) throw new Error(`killed before ${at}`)
  }
  network.interrupt = die
  const now = (): Date => {
    die('write')
    return payouts.now()
  }
  return {
    payouts: { ...payouts, now },
    killAt(at: string, times: number): void {
      ;[point, left] = [at, times]
    },
    spare(): void {
      point = ''
    },
  }
}
