import assert from 'node:assert/strict'
import { makeCheckoutStyles } from '../../src/core/checkout/assets/assets.ts'
import { displayMoney, languages } from '../../src/core/checkout/language.ts'
import type { PageModel } from '../../src/core/checkout/page-model.ts'
import { plainBrand, type Brand } from '../../src/core/merchants/brand/brand.ts'
import type { AttemptView, PaymentRow } from '../../src/core/payments/checkout-view.ts'
import { allModules, stylesOf } from '../../src/app/modules.ts'
import { plainText } from './fields-in.ts'

// A payment as the pages of the checkout are drawn from it, without a database: they are functions of it alone.

export type ModelChanges = Partial<PaymentRow> & {
  readonly merchant?: string
  /** Of the language. */
  readonly code?: string
  readonly brand?: Partial<Brand>
  readonly attempt?: Partial<AttemptView>
  readonly isSentBack?: boolean
  readonly attemptsLeft?: number
  /** Of what is not the payment's. */
  readonly page?: Partial<PageModel>
}

export function makePageModel(changes: ModelChanges = {}): PageModel {
  const {
    merchant,
    code = 'en',
    brand,
    attempt,
    isSentBack = false,
    attemptsLeft = 10,
    page,
    ...changed
  } = changes
  const language = languages.find((each) => each.code === code)
  assert.ok(language)
  const payment = {
    mode: 'test',
    state: 'success',
    tx_ref: 'order-1',
    reference: 'FL123',
    currency: 'GBP',
    amount_minor: 123_450n,
    refunded_minor: 0n,
    email: 'ada@shop.example',
    first_name: 'Ada',
    last_name: 'Lovelace',
    title: 'Two chairs (oak)',
    description: null,
    return_url: null,
    updated_at: '2026-11-15T14:05:00.000000Z',
    expires_at: '2026-11-16T14:05:00.000000Z',
    items: null,
    invoice_number: null,
    saving: null,
    ...changed,
  } as PaymentRow
  return {
    view: {
      payment,
      merchantName: merchant ?? 'Corner shop',
      brand: { ...plainBrand, ...brand },
      lastAttempt: attempt && ({ attempt: 1, ...attempt } as AttemptView),
      isSentBack,
      attemptsLeft,
    },
    language,
    isChosen: false,
    prefix: '',
    styleFile,
    digits: '1',
    amount: displayMoney(payment.amount_minor, payment.currency, language),
    token: 't',
    now: new Date('2026-11-15T14:06:00Z'),
    ...page,
  }
}

export const styleFile = makeCheckoutStyles(stylesOf(allModules))

/** What a page says, line by line: without its drawings, and without what the script alone shows. */
export function linesOf(page: string): string[] {
  const seen = page
    .replace(/<(svg|template|style)\b[^]*?<\/\1>/g, '')
    .replace(/<span class="of-amount">([^<]*)<\/span>/g, '$1')
    .replace(/<[^>]+>/g, '\n')
  return plainText(seen)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
