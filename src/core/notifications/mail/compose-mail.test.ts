import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asRead } from '../../../../test/support/as-read.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { composeMail, oneLine, type CustomerMail } from './compose-mail.ts'
import { languages } from './mail-words.ts'

const facts: CustomerMail = {
  template: 'receipt',
  language: 'en',
  firstName: 'Ada',
  amountMinor: '123450',
  refundedMinor: '0',
  currency: 'GBP',
  reference: 'FL23456789ABCD',
  txRef: 'order-1',
}
const context = {
  merchantName: 'Corner shop',
  isTest: false,
  at: '2026-11-15T14:05:00.000000Z',
  networkLabel: (connector: string) =>
    ({ stripe: 'Stripe', gocardless: 'GoCardless' })[connector] ?? connector,
}

test('every e-mail in every language holds all its facts and leaves no placeholder', () => {
  for (const language of languages) {
    for (const template of ['receipt', 'refund', 'failure'] as const) {
      const mail = composeMail({ ...facts, language, template, refundedMinor: '123450' }, context)
      for (const part of [mail.subject, mail.text, mail.html]) assert.doesNotMatch(part, /\{\w+\}|undefined/)
      for (const part of [mail.text, mail.html]) {
        for (const fact of ['Corner shop', 'FL23456789ABCD', 'order-1', '2026'])
          assert.ok(part.includes(fact), fact)
        assert.match(asRead(part), /1[,.\s\u00a0\u202f]?234[,.]50/)
      }
      assert.ok(mail.html.includes(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`))
    }
  }
})

test('a shop’s logo appears in its e-mails, and without one there is no gap', () => {
  const logoUrl = 'https://pay.example.com/logo/1/abc'
  const drawn = (more: { logoUrl?: string }): string | undefined =>
    /<img src="([^"]*)"/.exec(composeMail(facts, { ...context, ...more }).html)?.[1]
  assert.equal(drawn({ logoUrl }), logoUrl)
  assert.equal(drawn({}), undefined)
})

test('the English receipt reads as it should', () => {
  const { subject, text } = composeMail(facts, context)
  assert.equal(subject, 'Receipt from Corner shop: £1,234.50')
  assert.equal(
    text,
    `Payment received: £1,234.50

Hello Ada,

Your payment to Corner shop went through. Please keep this receipt.

Paid to          Corner shop
Date             15 November 2026, 14:05 UTC
Reference        FL23456789ABCD
Order reference  order-1

Questions about your order? Contact Corner shop and give the reference
above.
`,
  )
})

test('a receipt for a network’s page names the method and the network; older e-mails name the network', () => {
  const said = (network: string, method?: 'card' | 'bank', language = 'en'): string =>
    composeMail({ ...facts, language, paidWith: { network, card: null, ...(method && { method }) } }, context)
      .text
  assert.match(said('stripe', 'card'), /^Paid with +Card, through Stripe$/m)
  assert.match(said('gocardless', 'bank'), /^Paid with +Bank payment, through GoCardless$/m)
  assert.match(said('stripe'), /^Paid with +Stripe$/m)
  for (const language of languages) assert.match(said('stripe', 'card', language), /Stripe/)
})

test('a name of the other direction is isolated', () => {
  const arabic = composeMail({ ...facts, language: 'ar' }, { ...context, merchantName: 'Toys Now!' })
  assert.ok(arabic.subject.includes('\u2068Toys Now!\u2069'))
  assert.ok(arabic.text.includes('\u2068Toys Now!\u2069') && arabic.text.includes('\u2068Ada\u2069'))
  assert.ok(arabic.html.includes('<bdi>Toys Now!</bdi>'))
  assert.doesNotMatch(arabic.html, /[^\0-\x7f]/)
  const english = composeMail(facts, { ...context, merchantName: 'متجر' })
  assert.match(english.text, /Your payment to \u2068متجر\u2069 went through\./)
})

test('in Arabic the layout runs right to left, and items keep their own direction', () => {
  const { html, text } = composeMail(
    {
      ...facts,
      language: 'ar',
      items: [{ name: 'Walnut chair', quantity: 2, totalMinor: '123450' }],
      paidWith: { network: 'test-network', card: { brand: 'Visa', last4: '4242' } },
    },
    context,
  )
  assert.ok(text.includes('\u200fVisa تنتهي بـ 4242'), text)
  assert.ok(asRead(html).includes('<bdi>2 × Walnut chair</bdi>'))
})

test('each contact of the merchant has its own line', () => {
  const brand = {
    ...plainBrand,
    supportEmail: 'help@books.example',
    website: 'https://books.example',
    companyNumber: '01234567',
    vatNumber: 'GB123456789',
  }
  const { text } = composeMail(facts, { ...context, brand })
  const contact = [
    'help@books.example',
    'https://books.example',
    'Company number 01234567',
    'VAT number GB123456789',
  ]
  assert.ok(text.endsWith(`Corner shop\n${contact.join('\n')}\n`), text)
})

test('no name can break the subject line or add markup to the HTML', () => {
  const odd = fc.string({
    unit: fc.constantFrom('\r', '\n', '<', '>', '"', '$&', '{amount}', 'a', '\u2028', '&', "'"),
  })
  fc.assert(
    fc.property(odd, odd, (firstName, merchantName) => {
      const mail = composeMail({ ...facts, firstName }, { ...context, merchantName })
      assert.doesNotMatch(mail.subject, /[\r\n\u2028\u2029]/)
      const plain = composeMail(facts, context)
      const tags = (text: string): number => text.split('<').length
      assert.equal(tags(mail.html), tags(plain.html))
    }),
  )
  assert.equal(oneLine('Shop\r\nBcc: x@evil.example'), 'Shop Bcc: x@evil.example')
})
