import { brokenRule } from '../../../platform/errors/refusals.ts'
import type { FormFields } from '../../../platform/input/form-fields.ts'
import { languageCodes } from '../../../core/merchants/brand/languages.ts'
import type { BrandChanges } from '../../../core/merchants/brand/read-brand.ts'
import { paymentMethods, type PaymentMethod } from '../../../platform/money/payment-methods.ts'
import type { MerchantChanges } from '../../../core/merchants/create-merchant.ts'
import { checkIdle } from '../../../core/merchants/times/idle.ts'
import { readPayWithin } from '../../../core/merchants/times/pay-within.ts'

// Reads the payment settings form. Fields left out keep their value.

/** What the form and the page call the ways to pay. */
export const firstMethods: Readonly<Record<PaymentMethod, { readonly name: string; readonly why: string }>> =
  {
    card: { name: 'Cards and wallets', why: 'What most customers look for' },
    bank: { name: 'Bank payments', why: 'Often cheaper for you' },
    mobile_money: {
      name: 'Mobile money',
      why: 'M-PESA, MTN, Airtel and others, where your network takes them',
    },
    wallet: { name: 'Online wallets', why: 'A customer’s account at a network such as PayPal' },
  }

export function languageField(code: string): string {
  return `language_${code}`
}

export function merchantChanges(
  fields: FormFields,
  before: { readonly email: string | null },
): MerchantChanges {
  const email = (fields.get('email') ?? before.email ?? '').trim()
  const secretKeys = fields.get('secret_keys')
  const payWithin = fields.get('pay_within')
  const idle = fields.get('idle')
  return {
    // The address can't be removed again: alerts would reach no one.
    ...((email !== '' || before.email !== null) && { email }),
    ...((secretKeys === 'on' || secretKeys === 'off') && { formsTakeSecretKeys: secretKeys === 'on' }),
    ...(payWithin !== undefined && {
      payWithinMinutes: readPayWithin(payWithin, fields.get('pay_within_unit') ?? ''),
    }),
    ...(idle !== undefined && { idleMinutes: checkIdle(Number(idle)) }),
  }
}

export function brandChanges(fields: FormFields): BrandChanges {
  const hosts = fields
    .get('embed_hosts')
    ?.split(/[\s,]+/)
    .filter((host) => host !== '')
  const first = fields.get('first_language')
  const afterPaying = fields.get('after_paying')
  const firstMethod = fields.get('first_method')
  return {
    ...(hosts && { embedHosts: hosts }),
    ...(first !== undefined && { languages: readLanguages(fields, first) }),
    ...((afterPaying === 'shop' || afterPaying === 'receipt') && { receiptFirst: afterPaying === 'receipt' }),
    ...(firstMethod !== undefined && { methodOrder: methodOrder(firstMethod) }),
  }
}

/** Cards first is what every shop has that never chose. */
function methodOrder(first: string): string[] {
  if (first === paymentMethods[0]) return []
  return [first, ...paymentMethods.filter((method) => method !== first)]
}

/** All languages with English as default is stored as an empty list, so languages added later are included. */
function readLanguages(fields: FormFields, first: string): string[] {
  const ticked: string[] = languageCodes.filter((code) => fields.has(languageField(code)))
  if (ticked.length === 0) throw brokenRule('languages', 'Choose at least one language')
  if (!ticked.includes(first))
    throw brokenRule('languages', 'The default language must be one of the selected languages')
  if (ticked.length === languageCodes.length && first === languageCodes[0]) return []
  return [first, ...ticked.filter((code) => code !== first)]
}
