import type { DisputeStatus } from '../../core/networks/connector.ts'
import { accountOf } from '../../core/payments/attempts/hosted/account-of.ts'
import { askNetwork } from '../../core/payments/attempts/ask-network.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'

/** A dispute as a network knows it, and whose account is asked for it. */
export type AskedDispute = {
  /** 0: for the installation's account, before we know whose payment it concerns. */
  readonly merchantId: number
  readonly connector: string
  readonly accountId: string
  readonly reference: string
}

export type Answer =
  | { readonly kind: 'told'; readonly status: DisputeStatus }
  | { readonly kind: 'no_such_dispute' }
  /** Nothing is decided by not being heard. */
  | { readonly kind: 'no_answer' }

export async function askAboutDispute(paying: Paying, asked: AskedDispute): Promise<Answer> {
  return askNetwork(paying.log, async (signal): Promise<Answer> => {
    const status = await fetchStatus(paying, asked, signal)
    return status ? { kind: 'told', status } : { kind: 'no_such_dispute' }
  })
}

async function fetchStatus(
  paying: Paying,
  { merchantId, connector: name, accountId, reference }: AskedDispute,
  signal: AbortSignal,
): Promise<DisputeStatus | undefined> {
  const form = paying.connectors.find((one) => one.name === name && one.kind === 'form')
  if (form?.kind === 'form') return form.fetchDispute?.({ merchantId, disputeReference: reference }, signal)
  const { connector, account } = await accountOf(paying, {
    merchant_id: merchantId,
    connector: name,
    account_id: accountId,
  })
  return connector.fetchDispute?.(account, reference, signal)
}

/** Networks whose cards are typed on our own page have no accounts: this is used instead. */
export function accountOfForm(connector: string): string {
  return `acc_${connector}`
}

export function isOfForm(paying: Paying, connector: string): boolean {
  return paying.connectors.some(({ name, kind }) => name === connector && kind === 'form')
}
