import type { Refusal } from '../../platform/errors/refusals.ts'
import type { Html } from '../../platform/http/html.ts'
import type { StyleFile } from '../../platform/http/page.ts'
import { isolate } from '../../platform/input/isolate.ts'
import type { Brand } from '../merchants/brand/brand.ts'
import type { ProofTask } from '../payments/card-testing/proof.ts'
import type { Offered } from '../payments/attempts/hosted/offers.ts'
import type { CheckoutView } from '../payments/checkout-view.ts'
import { returnAddress } from '../payments/shop-address.ts'
import type { FieldMistakes } from './card-form.ts'
import { fill, type Choice, type Words } from './language.ts'

// The page model: all that a page is drawn from. A page is a pure function of its model.

export type Setting = Choice & {
  /** The path before /payment, when Florin is served below one. */
  readonly prefix: string
  /** Of every page of the checkout. */
  readonly styleFile: StyleFile
  /** The payment's shop; unknown on pages without a payment. */
  readonly shop?: Shop
  /** The hosts that may frame this page, and what they are told. */
  readonly embed?: {
    readonly origins: readonly string[]
    readonly screen: string
    /** The customer has just paid, and goes there at once. */
    readonly returnTo?: string | undefined
  }
}

export type Shop = {
  readonly name: string
  readonly brand: Brand
  /** The address of its logo, or of the payment's own, on this server. */
  readonly logo?: string
}

/** What a module adds to a payment's pages. */
export type PagePart = {
  /** Above the other ways to pay. */
  readonly ways?: (model: PageModel) => Html | false
  /** Below the amount of a receipt. */
  readonly notice?: (model: PageModel) => Html | undefined
  /** Below the lines of a receipt. */
  readonly lines?: (model: PageModel) => Html | undefined
  /** At the end of a receipt, and of the page of a charge. */
  readonly link?: (model: PageModel) => Html | false
}

export type PageModel = Setting & {
  readonly view: CheckoutView
  readonly digits: string
  /** As people write it, in their language. */
  readonly amount: string
  /** The QR code itself, for a sample: it has no payment whose code could be fetched. */
  readonly qrCode?: string
  /** Proves that a post came from a page of this payment. */
  readonly token: string
  readonly now: Date
  /** The customer's last try may not have arrived. */
  readonly interrupted?: boolean
  /** There is a mail server, so live receipts are mailed. */
  readonly sendsMail?: boolean
  /** Shows that the customer of an old receipt knew its e-mail address. */
  readonly receiptProof?: string
  /** The challenge for the next attempt while the merchant is under attack. */
  readonly proof?: ProofTask
  /**
   * No payment is possible before this time: too many declines, or, with `isPause`, the page is too young for a proof.
   */
  readonly wait?: { readonly until: Date; readonly isPause?: boolean }
  /** The customer came back from a network's own page. */
  readonly returned?: boolean
  /** The network has just said that its page is still open: nothing was paid there. */
  readonly isPageOpen?: boolean
  /** The customer has just left the network's page without paying. */
  readonly hasLeft?: boolean
  /** The customer has just paid and is taken back to the shop at once. */
  readonly goesBack?: boolean
  /** How often a page without a script has loaded itself while it waited; `off`: no more. */
  readonly looks?: number | 'off'
  /** The network whose own page the attempt is on, as people know it. */
  readonly network?: string
  /** That network takes days once the customer has done their part. */
  readonly takesDays?: boolean
  /** The methods besides a card on our own page; known if there is a choice. */
  readonly offered?: Offered
  /** What modules show of this payment. */
  readonly parts?: readonly PagePart[]
  /** The money is a network's play money. */
  readonly isSandbox?: boolean
  /** A rejected e-mail address and the rules that it breaks. */
  readonly wrongEmail?: { readonly typed: string; readonly errors: Refusal['errors'] }
  readonly mistakes?: FieldMistakes
  /** Input that may be shown again after a mistake. Never the number or the security code. */
  readonly typed?: { readonly expiry: string; readonly name: string }
}

export function addressOf(model: Setting & { digits: string }, verb = ''): string {
  return `${model.prefix}/payment/${model.digits}${verb}${model.isChosen ? `?lang=${model.language.code}` : ''}`
}

/** An address of this payment that remembers that the customer came back from a network's page. */
export function returnedAddressOf(model: Setting & { digits: string }, verb = ''): string {
  return `${addressOf(model, verb)}${model.isChosen ? '&' : '?'}returned=1`
}

/** The waiting page without a script, which counts in its address how often it has loaded itself. */
export function looksAddressOf(model: PageModel, looks: number | 'off', verb = ''): string {
  const address = model.returned ? returnedAddressOf(model, verb) : addressOf(model, verb)
  return `${address}${address.includes('?') ? '&' : '?'}looks=${looks}`
}

export function readLooks(text: unknown): number | 'off' {
  if (text === 'off') return 'off'
  return typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0
}

/** Where a customer goes whose last try may not have arrived: when it did not, the page says so. */
export function interruptedAddressOf(model: Setting & { digits: string }): string {
  return `${addressOf(model)}${model.isChosen ? '&' : '?'}interrupted=1`
}

/** A sentence of the page, with the merchant and the amount filled in. */
export function sentence(
  model: PageModel,
  key: keyof Words,
  values: Readonly<Record<string, string>> = {},
): string {
  return fillIn(model, model.language.words[key], values)
}

/** The same for a sentence that isn't among the words of every page. */
export function fillIn(
  { view, language, amount }: PageModel,
  text: string,
  values: Readonly<Record<string, string>> = {},
): string {
  return fill(text, { merchant: isolate(view.merchantName, language.direction), amount, ...values })
}

export function returnsTo(model: PageModel): string | undefined {
  return returnAddress(model.view.payment)
}

/** From the card form's own field, for a payment that isn't read before its card is charged. */
export const takesBackField = 'takes_back'
/** Its value where a customer whose payment failed is taken back, too. */
export const takesBackAnyhow = 'anyhow'

/** Whether a customer who has just paid is taken back to the shop at once. */
export function takesBack(model: PageModel): boolean {
  const { payment, brand } = model.view
  return !brand.receiptFirst && returnAddress({ ...payment, state: 'success' }) !== undefined
}

/** Leads back to the shop, or to the payment's own page where it does not. Never stays in a browser's history. */
export function doneAddressOf(model: Setting & { digits: string }): string {
  return addressOf(model, '/done')
}

/** The language that the receipt is mailed in. Undefined for English, which a mail is in unless it says otherwise. */
export function mailLanguage({ language }: Setting): string | undefined {
  return language.tag === 'en' ? undefined : language.tag
}

const freshMs = 10 * 60 * 1000

/** Whether the payment has just ended: only then is the receipt still on its way. */
export function isFresh(model: PageModel): boolean {
  return model.now.getTime() - Date.parse(model.view.payment.updated_at) < freshMs
}
