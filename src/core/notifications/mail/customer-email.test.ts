import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentsOf } from '../../merchants/brand/accent.ts'
import { plainBrand, type Brand } from '../../merchants/brand/brand.ts'
import { customerEmail } from './customer-email.ts'
import type { Context, CustomerMail } from './mail-facts.ts'

const bare: CustomerMail = {
  template: 'receipt',
  language: 'en',
  firstName: 'Ada',
  amountMinor: '123450',
  refundedMinor: '0',
  currency: 'GBP',
  reference: 'FL23456789ABCD',
  txRef: 'order-1',
}

const full: CustomerMail = {
  ...bare,
  title: 'Two chairs',
  invoiceNumber: 'INV-7',
  receiptUrl: 'https://pay.example.com/payment/1',
  items: [
    { name: 'Walnut chair', quantity: 2, totalMinor: '100000' },
    { name: 'Table', quantity: 1, totalMinor: '23450' },
  ],
  taxes: [{ rate: '20', taxMinor: '20575' }],
  paidWith: { network: 'stripe', card: { brand: 'Visa', last4: '4242' } },
  reason: 'Broken leg',
}

const context: Context = {
  merchantName: 'Corner shop',
  isTest: false,
  at: '2026-11-15T14:05:00.000000Z',
  networkLabel: (connector) => ({ stripe: 'Stripe', gocardless: 'GoCardless' })[connector] ?? connector,
}

const brand: Brand = {
  ...plainBrand,
  colour: '#17603f',
  supportEmail: 'help@shop.example',
  supportPhone: '+44 20 7946 0000',
  website: 'https://shop.example',
  address: ['1 High Street', 'London'],
  companyNumber: '01234567',
  vatNumber: 'GB123456789',
  timeZone: 'Europe/Paris',
  statementDescriptor: 'CORNER SHOP',
}

const footer = 'Questions about your order? Contact Corner shop and give the reference above.'

test('a minimal receipt shows only its facts', () => {
  assert.deepEqual(customerEmail(bare, context), {
    language: 'en',
    tone: 'good',
    subject: 'Receipt from Corner shop: £1,234.50',
    from: 'Corner shop',
    heading: 'Payment received',
    amount: '£1,234.50',
    greeting: 'Hello Ada,',
    paragraphs: ['Your payment to Corner shop went through. Please keep this receipt.'],
    rows: [
      ['Paid to', 'Corner shop'],
      ['Date', '15 November 2026, 14:05 UTC'],
      ['Reference', 'FL23456789ABCD'],
      ['Order reference', 'order-1'],
    ],
    items: [],
    links: [],
    footer,
    contact: [],
    test: undefined,
  })
})

test('a link in a customer’s name is broken up in the greeting, so no mail program links it', () => {
  const { greeting } = customerEmail({ ...bare, firstName: 'Win at https://evil.example' }, context)
  assert.equal(greeting, 'Hello Win at https[:]//evil[.]example,')
})

test('a full receipt of a shop with all its details', () => {
  const logoUrl = 'https://pay.example.com/logo/1/a'
  assert.deepEqual(customerEmail(full, { ...context, brand, logoUrl, isTest: true }), {
    language: 'en',
    tone: 'good',
    subject: 'Receipt from Corner shop: £1,234.50',
    from: 'Corner shop',
    heading: 'Payment received',
    amount: '£1,234.50',
    greeting: 'Hello Ada,',
    paragraphs: ['Your payment to Corner shop went through. Please keep this receipt.'],
    rows: [
      ['Paid to', 'Corner shop'],
      ['For', 'Two chairs'],
      ['Date', '15 November 2026, 15:05 CET'],
      ['Card', 'Visa ending in 4242'],
      ['Reference', 'FL23456789ABCD'],
      ['Order reference', 'order-1'],
      ['Invoice number', 'INV-7'],
      ['On your statement', 'CORNER SHOP'],
    ],
    items: [
      { name: '2 × Walnut chair', amount: '£1,000.00' },
      { name: 'Table', amount: '£234.50' },
      { name: 'Total', amount: '£1,234.50', kind: 'total' },
      { name: 'Includes VAT at 20%', amount: '£205.75', kind: 'tax' },
    ],
    links: [
      ['View your receipt', 'https://pay.example.com/payment/1?lang=en'],
      ['Download PDF', 'https://pay.example.com/payment/1/receipt.pdf?lang=en'],
    ],
    footer: 'Questions about your order? Reply to this e-mail and mention the reference above.',
    contact: [
      'help@shop.example · +44 20 7946 0000',
      'https://shop.example',
      '1 High Street, London',
      'Company number 01234567',
      'VAT number GB123456789',
    ],
    test: 'Test payment. No money was taken.',
    logoUrl,
    accents: accentsOf('#17603f'),
  })
})

test('the e-mail for a payment that takes days says it is on its way and must not be paid again', () => {
  const email = customerEmail({ ...full, template: 'on_its_way' }, context)
  assert.deepEqual([email.tone, email.subject], ['calm', 'Your payment to Corner shop is on its way'])
  assert.match(email.paragraphs[0] ?? '', /few working days to arrive\..*Please don’t pay again\./)
  assert.deepEqual(email.rows[0], ['To', 'Corner shop'])
  assert.deepEqual(email.links, [['View your payment', 'https://pay.example.com/payment/1?lang=en']])
})

test('a refund’s e-mail says how much was returned and why, and whether it was all of it', () => {
  const refund = { ...full, template: 'refund', refundedMinor: '50000' } as const
  const part = customerEmail(refund, { ...context, brand })
  assert.deepEqual(
    [part.tone, part.subject, part.amount, part.paragraphs],
    [
      'good',
      'Refund from Corner shop: £500.00',
      '£500.00',
      [
        'Corner shop has sent back £500.00 of your payment of £1,234.50. It can take a few working days to reach your account.',
      ],
    ],
  )
  assert.deepEqual(part.rows, [
    ['Paid to', 'Corner shop'],
    ['For', 'Two chairs'],
    ['Reason', 'Broken leg'],
    ['Date', '15 November 2026, 15:05 CET'],
    ['Card', 'Visa ending in 4242'],
    ['Reference', 'FL23456789ABCD'],
    ['Order reference', 'order-1'],
    ['Invoice number', 'INV-7'],
    ['On your statement', 'CORNER SHOP'],
  ])
  assert.deepEqual(part.links, [['View your receipt', 'https://pay.example.com/payment/1?lang=en']])
  const { reason: _, ...silent } = refund
  const whole = customerEmail({ ...silent, refundedMinor: '123450' }, context)
  assert.deepEqual(whole.paragraphs, [
    'Corner shop has sent your money back. It can take a few working days to reach your account.',
  ])
  assert.equal(
    whole.rows.some(([label]) => label === 'Reason'),
    false,
  )
})

test('a failed payment’s e-mail is no receipt: no large amount, no card, no links', () => {
  const email = customerEmail({ ...full, template: 'failure' }, { ...context, brand })
  assert.deepEqual([email.tone, email.amount, email.items, email.links], ['bad', undefined, [], []])
  assert.deepEqual(email.rows, [
    ['To', 'Corner shop'],
    ['For', 'Two chairs'],
    ['Amount', '£1,234.50'],
    ['Date', '15 November 2026, 15:05 CET'],
    ['Reference', 'FL23456789ABCD'],
    ['Order reference', 'order-1'],
    ['Invoice number', 'INV-7'],
  ])
})

test('without a card, the receipt names the network that took the money', () => {
  const said = (network: string, method?: 'card' | 'bank' | null): string | undefined => {
    const paidWith = { network, card: null, ...(method !== undefined && { method }) }
    return customerEmail({ ...bare, paidWith }, context).rows.find(([label]) => label === 'Paid with')?.[1]
  }
  assert.equal(said('stripe', 'card'), 'Card, through Stripe')
  assert.equal(said('gocardless', 'bank'), 'Bank payment, through GoCardless')
  assert.equal(said('test-bank', null), 'Test bank')
  assert.equal(said('another'), 'another')
})

test('the test bank has a name in each language', () => {
  const bank = (language: string): string | undefined => {
    const paid: CustomerMail = {
      ...bare,
      language,
      paidWith: { network: 'test-bank', method: 'bank', card: null },
    }
    return customerEmail(paid, context).rows.find(([, value]) => /bank/i.test(value))?.[1]
  }
  assert.deepEqual(['en', 'de', 'pl'].map(bank), [
    'Bank payment, through Test bank',
    'Bankzahlung, über Testbank',
    'Płatność bankowa, przez Bank testowy',
  ])
})

test('amounts and dates follow the region of the checkout page', () => {
  const { amount, language, rows, links } = customerEmail(
    { ...full, language: 'en-US', currency: 'USD' },
    context,
  )
  const day = rows.find(([label]) => label === 'Date')?.[1].replace(/\s/g, ' ')
  assert.deepEqual([amount, language, day], ['$1,234.50', 'en', 'November 15, 2026, 2:05 PM UTC'])
  assert.ok(links?.every(([, address]) => address.endsWith('?lang=en')))
})

test('only what the shop says about itself is shown', () => {
  const contactOf = (more: Partial<Brand>) =>
    customerEmail(bare, { ...context, brand: { ...plainBrand, ...more } }).contact
  assert.deepEqual(contactOf({}), [])
  assert.deepEqual(contactOf({ supportPhone: '123' }), ['123'])
  assert.deepEqual(contactOf({ supportEmail: 'a@b.example', vatNumber: 'GB1' }), [
    'a@b.example',
    'VAT number GB1',
  ])
  assert.deepEqual(contactOf({ companyNumber: '7', address: ['Here'] }), ['Here', 'Company number 7'])
})

test('in Arabic a figure with Latin letters is isolated, and in no other language', () => {
  const amountIn = (language: string, currency: string) =>
    customerEmail({ ...bare, language, currency }, context).amount
  assert.match(amountIn('ar', 'CHF') ?? '', /^\u2066[^\u200e\u200f\u061c]*CHF[^\u200e\u200f\u061c]*\u2069$/)
  assert.doesNotMatch(amountIn('ar', 'EUR') ?? '', /[\u2066\u2069A-Z]/)
  assert.doesNotMatch(amountIn('de', 'CHF') ?? '', /[\u2066\u2069]/)
  const cardIn = (language: string) =>
    customerEmail({ ...full, language }, context).rows.find(([, value]) => value.includes('4242'))?.[1]
  assert.match(cardIn('ar') ?? '', /^\u200fVisa/)
  assert.equal(cardIn('en'), 'Visa ending in 4242')
})

test('text from strangers can’t reverse a line or act as a placeholder', () => {
  const odd = {
    ...full,
    title: 'a\u202eb',
    txRef: 'c\u2066d',
    invoiceNumber: 'e\u200bf',
    firstName: '{amount}',
  }
  const { rows, greeting } = customerEmail(odd, { ...context, merchantName: '{name} \u202e& Co' })
  assert.deepEqual(
    rows.map(([, value]) => value).filter((value) => /^([ace]|\{)/.test(value)),
    ['{name} & Co', 'ab', 'cd', 'ef'],
  )
  assert.equal(greeting, 'Hello {amount},')
})

test('a receipt of a saved method links to the page where the customer ends it, after its own links', () => {
  const methodUrl = 'https://pay.example.com/payment/1/saved-method'
  const linksIn = (changes: Partial<CustomerMail>) =>
    customerEmail({ ...full, methodUrl, ...changes }, context).links
  const page = ['See or end your saved payment method', `${methodUrl}?lang=en`]
  assert.deepEqual(linksIn({})?.at(-1), page)
  assert.equal(linksIn({})?.length, 3)
  assert.deepEqual(linksIn({ template: 'needs_customer' }), [
    ['Pay now', 'https://pay.example.com/payment/1?lang=en'],
    page,
  ])
  assert.deepEqual(linksIn({ template: 'failure' }), [])
})
