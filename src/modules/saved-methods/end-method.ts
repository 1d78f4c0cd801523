import { bySystem, recordAct, type Actor } from '../../core/audit/audit.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { askNetwork } from '../../core/payments/attempts/ask-network.ts'
import { accountOf } from '../../core/payments/attempts/hosted/account-of.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { announceMethod } from '../../core/payments/saving/announce-method.ts'
import type { MethodKeeping, MethodScope } from './keeping.ts'
import { presentMethod } from './present.ts'
import { endRow, findMethod, findMethodOf, type MethodRow } from './store.ts'

/**
 * Ends a method: it is never charged again from this commit on, and a job tells the network. Ending it twice is no
 * mistake. A charge that was begun before may still finish.
 */
export async function endMethod(
  { db, now, paying }: Pick<MethodKeeping, 'db' | 'now' | 'paying'>,
  scope: MethodScope,
  id: string,
  by: Actor,
  endedBy: 'merchant' | 'customer' | 'network' = 'merchant',
): Promise<MethodRow> {
  const method = await findMethod(db, scope, id)
  if (!method) throw new Refusal('not_found', 'Saved method not found')
  if (method.ended_at !== null) return method
  const ended = await inTransaction(db, async (tx) => {
    const { merchantId, mode } = scope
    // The payment first: outcomes lock in this order, too.
    const tell = await announceMethod(paying, tx, { merchantId, number: method.number })
    const row = await endRow(tx, { merchantId, id }, { by: endedBy, forgetAt: now() })
    if (!row) return undefined
    await tell('method.ended', JSON.stringify(presentMethod(row)))
    await recordAct(tx, merchantId, by, {
      action: 'saved_method.ended',
      subject: id,
      after: { mode, customer_ref: row.customer_ref, ended_by: endedBy },
    })
    return row
  })
  return ended ?? (await findMethod(db, scope, id)) ?? method
}

/** What a callback said to look up. */
export type ReportedMethod = {
  readonly merchantId: number
  readonly connector: string
  readonly accountId: string
  /** The network's name of the method. */
  readonly reference: string
}

/**
 * A network said that there is something new about a saved method, such as a mandate that the customer cancelled at their
 * bank. The callback alone changes nothing: the network is asked, and a method that has ended there ends here, too.
 */
export async function checkReportedMethod(
  paying: Paying,
  { merchantId, connector, accountId, reference }: ReportedMethod,
): Promise<'asked' | 'not_ours' | 'no_answer'> {
  const at = { merchant_id: merchantId, connector, account_id: accountId }
  const found = await askNetwork(paying.log, async (signal) => {
    const reached = await accountOf(paying, at)
    const method = await reached.connector.fetchMethod?.(reached.account, reference, signal)
    return { kind: 'told' as const, method }
  })
  if (found.kind === 'no_answer') return 'no_answer'
  const number = found.method?.paymentNumber
  const method = number === undefined ? undefined : await findMethodOf(paying.db, { merchantId, number })
  if (method?.connector !== connector || method.account_id !== accountId) return 'not_ours'
  if (found.method?.isEnded === true && method.ended_at === null) {
    const scope = { merchantId, mode: method.mode }
    await endMethod({ db: paying.db, now: paying.now, paying }, scope, method.id, bySystem, 'network')
  }
  return 'asked'
}
