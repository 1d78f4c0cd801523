import type { DisputeReplies } from '../../../core/networks/dispute-replies.ts'
import { accountOf } from '../../../core/payments/attempts/hosted/account-of.ts'
import type { Paying } from '../../../core/payments/attempts/paying.ts'
import type { DisputeRow } from '../store.ts'

type Networks = Pick<Paying, 'connectors' | 'accounts'>

/** Whether disputes at this network are answered through Florin. At others the merchant answers on the network's page. */
export function takesReplies({ connectors }: Pick<Networks, 'connectors'>, connector: string): boolean {
  return connectors.some((one) => one.name === connector && one.disputeReplies !== undefined)
}

export async function repliesTo(
  networks: Networks,
  { merchant_id, connector: name, account_id }: Pick<DisputeRow, 'merchant_id' | 'connector' | 'account_id'>,
): Promise<DisputeReplies> {
  const form = networks.connectors.find((one) => one.name === name && one.kind === 'form')
  const replies =
    form?.kind === 'form'
      ? form.disputeReplies?.(merchant_id)
      : await hosted(networks, merchant_id, name, account_id)
  if (!replies) throw new Error(`The network ${name} takes no answers to disputes`)
  return replies
}

async function hosted(
  networks: Networks,
  merchantId: number,
  name: string,
  accountId: string,
): Promise<DisputeReplies | undefined> {
  const place = { merchant_id: merchantId, connector: name, account_id: accountId }
  const { connector, account } = await accountOf(networks, place)
  return connector.disputeReplies?.(account)
}
