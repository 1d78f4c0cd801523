import type { Transaction } from '../database/database.ts'
import { drawDeliveryId } from './delivery-id.ts'
import type { MerchantMail } from './mail/compose-mail.ts'
import { mailOrigin } from './queues.ts'
import type { Outbox } from './outbox.ts'
import type { Mode } from '../merchants/mode.ts'

/** A mail to the merchant, in the caller's commit. Its address is looked up when the mail is written. */
export async function warnMerchant(
  outbox: Outbox,
  tx: Transaction,
  to: { readonly merchantId: number; readonly mode: Mode },
  event:
    | 'receiver.paused'
    | 'key.exposed'
    | 'card_testing.noticed'
    | 'charge.held'
    | 'charge.surplus'
    | 'charge.after_end'
    | 'charge.stuck'
    | 'refund.failed'
    | 'dispute.opened'
    | 'dispute.won'
    | 'dispute.lost'
    | 'payout.failed'
    | 'payout.difference'
    | 'balance.difference',
  mail: MerchantMail,
): Promise<void> {
  const { merchantId, mode } = to
  await outbox.write(tx, [
    {
      merchant_id: merchantId,
      id: drawDeliveryId('msg'),
      kind: 'mail',
      mode,
      event,
      number: null,
      target: 'merchant',
      origin: mailOrigin,
      body: JSON.stringify(mail),
      state: mode === 'test' ? 'kept' : 'waiting',
    },
  ])
}
