import type { PayoutMail } from './mail/payout-email.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { ipnBody } from '../../core/notifications/announce.ts'
import { drawDeliveryId } from '../../core/notifications/delivery-id.ts'
import { warnMerchant } from '../../core/notifications/warn-merchant.ts'
import type { Feed } from './ask/feed-store.ts'
import type { Payout } from './payout.ts'
import type { Payouts } from './payouts.ts'
import { presentPayout } from './present.ts'
import type { PayoutEvent } from './state-machine.ts'

type Telling = Pick<Payouts, 'outbox' | 'log'>

/** To the merchant's endpoints: a payout has no callback_url of its own. A failure goes by mail, too. */
export async function notifyOfPayout(
  { outbox }: Telling,
  tx: Transaction,
  event: PayoutEvent,
  payout: Payout,
): Promise<void> {
  const { merchant_id, mode } = payout
  await outbox.write(tx, [
    {
      merchant_id,
      id: drawDeliveryId('evt'),
      kind: 'ipn',
      mode,
      event,
      number: null,
      target: '',
      origin: '',
      body: ipnBody(event, JSON.stringify(presentPayout(payout))),
      state: mode === 'live' ? 'nowhere' : 'kept',
    },
  ])
  if (event === 'payout.failed') await warn({ outbox }, tx, payout, 'payout_failed')
}

export async function notifyOfDifference(
  { outbox, log }: Telling,
  tx: Transaction,
  payout: Payout,
): Promise<void> {
  const { merchant_id: merchantId, id, difference_minor: difference, currency } = payout
  log.error(
    { merchantId, payout: id, difference: String(difference), currency },
    'The lines of a payout do not add up to its amount; a person must look',
  )
  await warn({ outbox }, tx, payout, 'payout_difference')
}

async function warn(
  { outbox }: Pick<Telling, 'outbox'>,
  tx: Transaction,
  payout: Payout,
  template: 'payout_failed' | 'payout_difference',
): Promise<void> {
  const { merchant_id: merchantId, mode } = payout
  const event = template === 'payout_failed' ? 'payout.failed' : 'payout.difference'
  await warnMerchant(outbox, tx, { merchantId, mode }, event, {
    template,
    network: payout.connector,
    amountMinor: String(payout.amount_minor),
    differenceMinor: String(payout.difference_minor),
    currency: payout.currency,
    failure: payout.failure,
    wasThere: payout.state === 'returned',
    reference: payout.reference,
    payoutId: payout.id,
  } satisfies PayoutMail)
}

export async function notifyOfBalance(
  { outbox, log }: Telling,
  tx: Transaction,
  feed: Feed,
  { currency, differenceMinor }: { readonly currency: string; readonly differenceMinor: bigint },
): Promise<void> {
  const { merchant_id: merchantId, account_id: account, connector, mode } = feed
  log.error(
    { merchantId, account, connector, currency, difference: String(differenceMinor) },
    'A network holds another amount than our ledger says; a person must look',
  )
  await warnMerchant(outbox, tx, { merchantId, mode }, 'balance.difference', {
    template: 'balance_difference',
    network: connector,
    differenceMinor: String(differenceMinor),
    currency,
  } satisfies PayoutMail)
}
