import { renderSVG } from 'uqr'
import type { HostedConnector } from '../../networks/hosted.ts'
import { html } from '../../../platform/http/html.ts'
import type { Page, StyleFile } from '../../../platform/http/page.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { Pictures } from '../../merchants/pictures/pictures.ts'
import type { Offer } from '../../payments/attempts/hosted/offers.ts'
import type { PaymentRow } from '../../payments/checkout-view.ts'
import { writeItems } from '../../payments/items.ts'
import { draw } from '../draw.ts'
import { methodMarks } from '../../../platform/money/payment-methods.ts'
import { displayMoney, english, offeredLanguages } from '../language.ts'
import { shopOfMerchant } from '../logo/known-shops.ts'
import type { PageModel } from '../page-model.ts'
import type { ReceiptFiles } from '../receipt/files/receipt-files.ts'
import { hasReceiptPdf, receiptPaper } from '../receipt/receipt-pdf.ts'
import { storedLogo } from '../receipt/stored-logo.ts'

// The real checkout page and the real receipt of an imaginary payment, so that a merchant sees what customers will see.
// It is a preview: nothing on it can be pressed, and it has no script.

export type Sample = {
  readonly merchant: Pick<Merchant, 'id' | 'name' | 'brand'>
  readonly mode: Mode
}

export type Samples = {
  readonly checkout: (sample: Sample) => Page
  /** Undefined without a name that can be written. */
  readonly receipt: (sample: Sample) => Promise<Buffer | undefined>
}

type SamplesOptions = {
  readonly baseUrl: string
  readonly styleFile: StyleFile
  readonly pictures: Pictures
  readonly receiptFiles: Pick<ReceiptFiles, 'inTurn'>
  readonly now: () => Date
  /** Those that live payments can go through. */
  readonly networks: SampleNetworks
}

type SampleNetworks = readonly Pick<HostedConnector, 'name' | 'label' | 'methods'>[]

export function makeSamples(options: SamplesOptions): Samples {
  const { baseUrl, pictures, receiptFiles } = options
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '')
  return {
    checkout(sample) {
      const { head: _, ...page } = draw(modelOf(sample, options, prefix, 'pending'))
      return { ...page, body: html`<div inert>${page.body}</div>` }
    },
    async receipt(sample) {
      const model = modelOf(sample, options, prefix, 'success')
      if (!hasReceiptPdf(model)) return undefined
      const logo = storedLogo(pictures, model.shop?.logo)
      return receiptFiles.inTurn({ paper: receiptPaper(model), logo })
    },
  }
}

const items = [
  { name: 'Walnut chair', quantity: 2, unitMinor: 4_500n, taxRate: '20' },
  { name: 'Delivery', quantity: 1, unitMinor: 950n, taxRate: undefined },
]
const total = 9_950n

function modelOf(
  sample: Sample,
  { now: clock, networks, baseUrl, styleFile }: SamplesOptions,
  prefix: string,
  state: 'pending' | 'success',
): PageModel {
  const now = clock()
  const { merchant, mode } = sample
  const payment = paymentOf(sample, now, state)
  const [language = english] = offeredLanguages(merchant.brand.languages)
  const digits = `${merchant.id}${payment.number}`
  return {
    language,
    isChosen: false,
    prefix,
    styleFile,
    shop: shopOfMerchant(prefix, merchant),
    view: {
      payment,
      merchantName: merchant.name,
      brand: merchant.brand,
      lastAttempt:
        state === 'pending'
          ? undefined
          : {
              attempt: 1,
              state: 'succeeded',
              declineReason: undefined,
              cardBrand: 'Visa',
              cardLast4: '4242',
              startedAt: payment.created_at,
              hosted: undefined,
            },
      attemptsLeft: 10,
    },
    digits,
    qrCode: qrCodeOf(`${baseUrl.replace(/\/+$/, '')}/payment/${digits}`),
    amount: displayMoney(total, 'GBP', language),
    token: '',
    now,
    // No test: a sample always offers a way to pay
    ...(mode === 'live' && { offered: { offers: offersOf(networks), amountOutOfRange: false } }),
  }
}

function qrCodeOf(address: string): string {
  const picture = renderSVG(address, { ecc: 'M', border: 4 })
  return `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`
}

/** Every network that takes the sample's currency. */
function offersOf(networks: SampleNetworks): Offer[] {
  return networks.flatMap(({ name: connector, label, methods }) =>
    methods('GBP').map((method) => {
      // No test: the page has its own field for test mode
      const offer = { accountId: '', connector, label, method, sandbox: false }
      return method === 'card' ? { ...offer, marks: methodMarks } : offer
    }),
  )
}

function paymentOf({ merchant, mode }: Sample, now: Date, state: 'pending' | 'success'): PaymentRow {
  const at = now.toISOString()
  return {
    merchant_id: merchant.id,
    number: '0'.repeat(24),
    mode,
    tx_ref: 'order-1042',
    reference: 'FLSAMPLE1042',
    type: 'API',
    state,
    // No test: customers never see it
    late: false,
    currency: 'GBP',
    amount_minor: total,
    charge_minor: 0n,
    refunded_minor: 0n,
    refunds: 0,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: null,
    return_url: null,
    title: 'Two walnut chairs',
    description: null,
    logo: null,
    meta: null,
    project_id: null,
    items: writeItems(items),
    invoice_number: null,
    language: null,
    dispute: null,
    created_at: at,
    updated_at: at,
    paid_at: null,
    paid_with: null,
    failure_reason: null,
    saving: null,
    dialect: null,
    expires_at: at,
  }
}
