import { setTimeout as pause } from 'node:timers/promises'
import { payOut } from '../src/core/test-network/payouts.ts'
import { hurryFeed } from '../src/modules/payouts/ask/feed-store.ts'
import { accountOfForm } from '../src/modules/payouts/ask/reports-of.ts'
import { reachWithinMs } from './play.ts'
import { ask, type Stage } from './stage.ts'

// The test network pays out once a night, which is too seldom for a fault: here it pays out what was booked so far, whenever it
// is told to, and the account is asked about at once, as after a callback.

const everyMs = 500

/** Half of them were made an hour ago: those have arrived by now. */
async function payOutOnce({ db, databaseUrl, merchant }: Stage): Promise<void> {
  const now = new Date()
  // Where the server pays the same bookings out, at midnight, the next one is ours.
  await payOut(db, merchant.id, { before: now, now }).catch(() => {})
  await ask(
    databaseUrl,
    `update test_network.payouts set made_at = made_at - interval '1 hour'
     where merchant_id = $1 and made_at > now() - interval '1 minute' and reference < 'tp_8'`,
    [merchant.id],
  )
  await hurry({ db, merchant })
}

/** A server that died holds its claim for three quarters of an hour; a callback of the network would not wait for it. */
async function hurry({ db, merchant }: Pick<Stage, 'db' | 'merchant'>): Promise<void> {
  const key = { merchantId: merchant.id, accountId: accountOfForm('test-network') }
  await hurryFeed(db, key, new Date())
}

/** Until the server has ended. */
export async function payOutUntil(stage: Stage, ended: Promise<unknown>): Promise<void> {
  const state = { isOver: false }
  void ended.finally(() => (state.isOver = true))
  const deadline = Date.now() + reachWithinMs
  while (!state.isOver && Date.now() < deadline) {
    await payOutOnce(stage)
    await pause(everyMs)
  }
}

/** Whether every payout of the network was copied, with all its lines, by whoever came after the one that died. */
export async function areCopied(stage: Stage): Promise<boolean> {
  const deadline = Date.now() + reachWithinMs
  while (Date.now() < deadline) {
    await hurry(stage)
    await pause(everyMs)
    const missing = await ask(
      stage.databaseUrl,
      `select reference from test_network.payouts as theirs where merchant_id = $1 and not exists (
         select from payouts where payouts.merchant_id = theirs.merchant_id
           and payouts.reference = theirs.reference and lines = 'copied')`,
      [stage.merchant.id],
    )
    if (missing.length === 0) return true
  }
  return false
}
