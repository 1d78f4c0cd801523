import type { HostedConnector, PaymentMethod } from '../../../networks/hosted.ts'
import type { MethodMark } from '../../../../platform/money/payment-methods.ts'
import type { PaymentRow } from '../../store.ts'
import { saveRequestOf } from '../../saving/saving.ts'
import type { Paying } from '../paying.ts'
import { accountsFor } from './account-of.ts'

// What a customer can choose: one option per account and method. Shown before the customer is sent away.

export type Offer = {
  readonly accountId: string
  readonly connector: string
  /** The network as people know it. */
  readonly label: string
  readonly method: PaymentMethod
  /** The schemes and wallets on its page, for a card. */
  readonly marks?: readonly MethodMark[]
  /** No money moves there. */
  readonly sandbox: boolean
}

export type Offered = {
  readonly offers: readonly Offer[]
  /** Nothing is offered because the amount is below or above what every network takes. */
  readonly amountOutOfRange: boolean
}

type Payable = Pick<PaymentRow, 'merchant_id' | 'mode' | 'amount_minor' | 'currency' | 'saving'>

export async function offersFor(paying: Paying, payment: Payable): Promise<Offered> {
  const reached = await accountsFor(paying, payment.merchant_id, payment.mode)
  // A customer of a shop that takes real money must not find a way to pay without.
  const isReal = reached.some(({ account }) => !account.sandbox)
  const all = reached
    .filter(({ account }) => !(isReal && account.sandbox))
    .flatMap(({ connector, account }) =>
      methodsFor(connector, payment).map((method) => {
        const { least, most, step = 1n } = connector.limits(payment.currency, method)
        const amount = payment.amount_minor
        const { label, name } = connector
        const offer: Offer = {
          accountId: account.id,
          connector: name,
          label,
          method,
          ...(method === 'card' && account.marks && { marks: account.marks }),
          sandbox: account.sandbox,
        }
        return { offer, fits: amount >= least && amount <= most && amount % step === 0n }
      }),
    )
  const offers = all
    .filter(({ fits }) => fits)
    .map(({ offer }) => offer)
    .filter(isFirstOfItsKind)
  return { offers, amountOutOfRange: offers.length === 0 && all.length > 0 }
}

/** A payment that saves its method is offered only what can be saved. */
function methodsFor(connector: HostedConnector, payment: Payable): readonly PaymentMethod[] {
  if (!saveRequestOf(payment)) return connector.methods(payment.currency)
  return connector.saves?.(payment.currency) ?? []
}

/** Two accounts at one network would be two buttons that customers can't tell apart. */
function isFirstOfItsKind(offer: Offer, index: number, all: readonly Offer[]): boolean {
  return (
    all.findIndex(({ connector, method }) => connector === offer.connector && method === offer.method) ===
    index
  )
}
