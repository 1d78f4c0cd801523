import type { Transaction } from '../../platform/database/database.ts'
import { drawDeliveryId } from './delivery-id.ts'
import type { MerchantMail } from './mail/compose-mail.ts'
import type { ModuleMail } from './mail/mail-writer.ts'
import { mailOrigin } from './queues.ts'
import type { Outbox } from './outbox.ts'
import type { Mode } from '../merchants/mode.ts'

/** A mail to the merchant, in the caller's commit. Its address is looked up when the mail is written. */
export async function warnMerchant(
  outbox: Outbox,
  tx: Transaction,
  to: { readonly merchantId: number; readonly mode: Mode },
  event: `${string}.${string}`,
  mail: MerchantMail | ModuleMail,
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
