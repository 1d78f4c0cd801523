import type { Brand } from '../../merchants/brand/brand.ts'
import type { PaymentMethod } from '../../money/payment-methods.ts'

// What a mail to a customer is written from: facts that are kept with the delivery, and what is known when it is sent.

/** What a receipt says beyond the sum. Mails from before this was kept have none of it. */
export type ReceiptFacts = {
  /** Of the page that shows it. */
  readonly receiptUrl?: string
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
  readonly template: 'receipt' | 'refund' | 'failure' | 'on_its_way'
  readonly language: string
  readonly firstName: string
  readonly amountMinor: string
  readonly refundedMinor: string
  readonly currency: string
  readonly reference: string
  readonly txRef: string
  /** Of a refund: as the merchant calls it, and why, in the merchant's words. */
  readonly refundRef?: string | undefined
  readonly reason?: string | undefined
}

export type Context = {
  readonly merchantName: string
  readonly isTest: boolean
  /** When it happened, as the database wrote it. */
  readonly at: string
  readonly brand?: Brand
  /** Of the merchant's logo, on our server. */
  readonly logoUrl?: string
  /** Opens the link of a letter to a person. */
  readonly openLink?: (sealed: string) => string
}
