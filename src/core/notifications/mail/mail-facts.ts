import type { Brand } from '../../merchants/brand/brand.ts'
import type { PaymentMethod } from '../../../platform/money/payment-methods.ts'

// What a customer's e-mail is written from: facts stored with the delivery, and what is known when it is sent.

/** A receipt's details besides the total. Older e-mails have none. */
export type ReceiptFacts = {
  /** The page that shows it. */
  readonly receiptUrl?: string
  /** The customer's page for the saved method that this payment saved or was paid with. */
  readonly methodUrl?: string
  readonly title?: string
  readonly invoiceNumber?: string
  readonly items?: readonly {
    readonly name: string
    readonly quantity: number
    readonly totalMinor: string
  }[]
  readonly taxes?: readonly {
    readonly rate: string
    /** As the merchant calls it; undefined: as in the shop's country. */
    readonly name?: string
    readonly taxMinor: string
  }[]
  readonly paidWith?: {
    readonly network: string
    /** On the network's own page. */
    readonly method?: PaymentMethod | null
    readonly card: { readonly brand: string; readonly last4: string } | null
  }
}

export type CustomerMail = ReceiptFacts & {
  readonly template: 'receipt' | 'refund' | 'failure' | 'on_its_way' | 'needs_customer'
  readonly language: string
  readonly firstName: string
  readonly amountMinor: string
  readonly refundedMinor: string
  readonly currency: string
  readonly reference: string
  readonly txRef: string
  /** A refund's reference and reason, in the merchant's words. */
  readonly refundRef?: string | undefined
  readonly reason?: string | undefined
}

export type Context = {
  readonly merchantName: string
  readonly isTest: boolean
  /** When it happened, as the database wrote it. */
  readonly at: string
  readonly brand?: Brand
  /** The merchant's logo, on our server. */
  readonly logoUrl?: string
  /** A network as people know it: `PayPal`. */
  readonly networkLabel?: ((connector: string) => string) | undefined
  /** Opens the link of a letter to a person. */
  readonly openLink?: (sealed: string) => string
}
