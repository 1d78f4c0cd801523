import { isDrawnRef } from '../../../platform/input/drawn-ref.ts'
import { isolate, plainText, unlinked } from '../../../platform/input/isolate.ts'
import { accentsOf } from '../../merchants/brand/accent.ts'
import { languageOf, localeOf } from '../../merchants/brand/languages.ts'
import { taxNameOf } from '../../merchants/brand/tax-names.ts'
import { displayAmount, displayPercent } from '../../../platform/money/money.ts'
import type { PaymentMethod } from '../../../platform/money/payment-methods.ts'
import type { Context, CustomerMail } from './mail-facts.ts'
import type { Email, EmailItem } from './mail-layout.ts'
import { wordsOf, type Language, type Words } from './mail-words.ts'
import { formatTime } from './format-time.ts'

const tones: Readonly<Record<CustomerMail['template'], Email['tone']>> = {
  receipt: 'good',
  refund: 'good',
  failure: 'bad',
  on_its_way: 'calm',
  needs_customer: 'calm',
}

// E-mails to customers, in their language and in the merchant's name.

export function customerEmail(facts: CustomerMail, context: Context): Email {
  const language = languageOf(facts.language)
  const words = wordsOf(language)
  const isRefund = facts.template === 'refund'
  const minor = BigInt(isRefund ? facts.refundedMinor : facts.amountMinor)
  const amount = formatAmount(minor, facts)
  const total = formatAmount(BigInt(facts.amountMinor), facts)
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const fill = (text: string): string =>
    text
      .replaceAll('{amount}', () => amount)
      .replaceAll('{total}', () => total)
      .replaceAll('{merchant}', () => isolate(context.merchantName, direction))
      .replaceAll('{name}', () => isolate(unlinked(facts.firstName), direction))
  const told = words[facts.template]
  const isFailure = facts.template === 'failure'
  const isPart = isRefund && facts.refundedMinor !== facts.amountMinor
  return {
    language,
    tone: tones[facts.template],
    subject: fill(told.subject),
    from: plainText(context.merchantName),
    heading: fill(told.heading),
    // Large only where money moved: a large figure under bad news reads as a charge.
    amount: isFailure ? undefined : amount,
    greeting: fill(facts.firstName === '' ? words.greeting.replace(/,? \{name\}/, '') : words.greeting),
    paragraphs: [fill(isPart ? words.refundOfPart : told.body)],
    rows: rowsOf(facts, context, { language, words, amount }),
    items: isFailure ? [] : itemRows(facts, context, language, words),
    links: isFailure ? [] : linksOf(facts, words),
    footer: fill(context.brand?.supportEmail === undefined ? words.footer : words.footerReply),
    contact: contactOf(context, words),
    test: context.isTest ? words.test : undefined,
    ...(context.logoUrl !== undefined && { logoUrl: context.logoUrl }),
    ...(context.brand?.colour !== undefined && { accents: accentsOf(context.brand.colour) }),
  }
}

type MailContext = { readonly language: Language; readonly words: Words; readonly amount: string }
type Row = readonly [string, string]

function rowsOf(facts: CustomerMail, context: Context, { language, words, amount }: MailContext): Row[] {
  const isFailure = facts.template === 'failure'
  const isPaid = facts.template === 'receipt' || facts.template === 'refund'
  const merchant = plainText(context.merchantName)
  const at = formatTime(context.at, localeOf(facts.language), context.brand?.timeZone)
  const rows: (Row | false)[] = [
    [isPaid ? words.paidTo : words.payee, merchant],
    facts.title !== undefined && [words.paidFor, plainText(facts.title)],
    isFailure && [words.amount, amount],
    facts.template === 'refund' && facts.reason !== undefined && [words.reason, plainText(facts.reason)],
    [words.date, at],
    !isFailure && meansRow(facts, context, language, words),
    [words.reference, facts.reference],
    !isDrawnRef(facts.txRef) && [words.order, plainText(facts.txRef)],
    facts.invoiceNumber !== undefined && [words.invoice, plainText(facts.invoiceNumber)],
    !isFailure &&
      context.brand?.statementDescriptor !== undefined && [
        words.statement,
        context.brand.statementDescriptor,
      ],
  ]
  return rows.filter((row) => row !== false)
}

const throughWords = {
  card: 'cardThrough',
  bank: 'bankThrough',
  mobile_money: 'mobileMoneyThrough',
} as const satisfies Record<Exclude<PaymentMethod, 'wallet'>, keyof Words>

/** The card by its last digits, or who took the money. */
function meansRow(
  { paidWith }: CustomerMail,
  { networkLabel }: Context,
  language: Language,
  words: Words,
): Row | false {
  if (!paidWith) return false
  const { card, network, method } = paidWith
  if (!card) {
    const name = network === 'test-bank' ? words.testBank : (networkLabel?.(network) ?? network)
    // A wallet is known by its network's name alone.
    const sentence = method && method !== 'wallet' ? words[throughWords[method]] : '{network}'
    return [words.paidWith, sentence.replace('{network}', () => name)]
  }
  const sentence = words.cardEnding.replace('{brand}', () => card.brand).replace('{last4}', () => card.last4)
  // It begins with a Latin name, and runs from right to left all the same.
  return [words.card, language === 'ar' ? `\u200f${sentence}` : sentence]
}

function itemRows(facts: CustomerMail, { brand }: Context, language: Language, words: Words): EmailItem[] {
  const format = (minor: string): string => formatAmount(BigInt(minor), facts)
  const items = (facts.items ?? []).map(({ name, quantity, totalMinor }): EmailItem => {
    const what = plainText(name)
    return { name: quantity === 1 ? what : `${quantity} \u00d7 ${what}`, amount: format(totalMinor) }
  })
  if (items.length === 0) return []
  const taxes = (facts.taxes ?? []).map((tax): EmailItem => ({
    name: formatTax(tax),
    amount: format(tax.taxMinor),
    kind: 'tax',
  }))
  return [...items, { name: words.total, amount: format(facts.amountMinor), kind: 'total' }, ...taxes]

  function formatTax({ rate, name }: NonNullable<CustomerMail['taxes']>[number]): string {
    const tax = name === undefined ? taxNameOf(brand?.country, facts.currency, language) : plainText(name)
    return words.taxIncluded
      .replace('{tax}', () => tax)
      .replace('{rate}', () => displayPercent(rate, localeOf(facts.language)))
  }
}

function linksOf({ receiptUrl, methodUrl, template, language }: CustomerMail, words: Words): Row[] {
  if (receiptUrl === undefined) return []
  const labels = { on_its_way: words.viewPayment, needs_customer: words.payNow } as const
  const label = template in labels ? labels[template as keyof typeof labels] : words.viewReceipt
  const inLanguage = `?lang=${languageOf(language)}`
  const pdf: Row = [words.downloadPdf, `${receiptUrl}/receipt.pdf${inLanguage}`]
  const method: Row[] = methodUrl === undefined ? [] : [[words.savedMethod, `${methodUrl}${inLanguage}`]]
  return [[label, `${receiptUrl}${inLanguage}`], ...(template === 'receipt' ? [pdf] : []), ...method]
}

function contactOf({ brand }: Context, words: Words): string[] {
  if (!brand) return []
  const { supportEmail, supportPhone, website, companyNumber, vatNumber } = brand
  // A line for each, as short as they come: one that breaks on a phone would leave a dot behind.
  return [
    [supportEmail, supportPhone].filter((one) => one !== undefined).join(' \u00b7 '),
    website ?? '',
    brand.address.join(', '),
    companyNumber === undefined ? '' : words.companyNumber.replace('{number}', () => companyNumber),
    vatNumber === undefined ? '' : words.vatNumber.replace('{number}', () => vatNumber),
  ].filter((line) => line !== '')
}

/** A sign with Latin letters is read from left to right within Arabic, too, or it changes sides. */
function formatAmount(minor: bigint, { currency, language }: CustomerMail): string {
  const text = displayAmount(minor, currency, localeOf(language))
  if (languageOf(language) !== 'ar' || !/[A-Za-z]/.test(text)) return text
  return `\u2066${text.replace(/[\u200e\u200f\u061c]/g, '')}\u2069`
}
