import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readBrand, type BrandChanges } from './read-brand.ts'

type Rule = {
  readonly taken: readonly (readonly [string, string])[]
  readonly refused: readonly string[]
  readonly says: RegExp
}

const site = `https://books.example/${'x'.repeat(1_978)}`
const local = `${'a'.repeat(240)}@books.example`

// What is taken, as it is kept, and what is refused: on both sides of every edge.
const rules: Readonly<Partial<Record<keyof BrandChanges, Rule>>> = {
  colour: {
    taken: [
      ['#FFE600', '#ffe600'],
      ['17603f', '#17603f'],
      ['#1aF', '#11aaff'],
      ['1af', '#11aaff'],
    ],
    refused: ['#ffe6', '#ffe60', '#ffe6000', '#ggg', 'red', '##ffe600'],
    says: /colour must be six hexadecimal digits/,
  },
  website: {
    taken: [
      [site, site],
      ['http://books.example', 'http://books.example'],
    ],
    refused: [`${site}x`, 'javascript:alert(1)', 'books.example'],
    says: /website must be/,
  },
  termsUrl: {
    taken: [[site, site]],
    refused: [`${site}x`, 'javascript:alert(1)'],
    says: /terms_url must be/,
  },
  privacyUrl: { taken: [[site, site]], refused: ['books.example'], says: /privacy_url must be/ },
  legalNoticeUrl: { taken: [[site, site]], refused: ['books.example'], says: /legal_notice_url must be/ },
  country: {
    taken: [
      ['gb', 'GB'],
      ['DE', 'DE'],
    ],
    refused: ['EU', 'GBR', 'Germany', 'XX', 'DD'],
    says: /country must be a two-letter code/,
  },
  supportEmail: {
    taken: [[local, local]],
    refused: [`a${local}`, 'help', 'help@', '@books.example', 'a@b@c', 'Help <help@books.example>', 'a b@c'],
    says: /support_email must be one e-mail address/,
  },
  supportPhone: {
    taken: [
      ['+44 20 7946 0000', '+44 20 7946 0000'],
      ['999', '999'],
      ['(020) 7946/0000-1.2', '(020) 7946/0000-1.2'],
      [`+${'1'.repeat(39)}`, `+${'1'.repeat(39)}`],
    ],
    refused: ['99', `+${'1'.repeat(40)}`, 'call us', '1+234'],
    says: /support_phone must be a telephone number/,
  },
  address: {
    taken: [
      ['1 High Street, London,  N1 1AA', '1 High Street\nLondon\nN1 1AA'],
      ['1 High Street\n\nLondon\\nN1 1AA', '1 High Street\nLondon\nN1 1AA'],
      ['a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\nf'],
      ['x'.repeat(80), 'x'.repeat(80)],
    ],
    refused: ['a\nb\nc\nd\ne\nf\ng', 'x'.repeat(81), 'a\tb', '4242 4242 4242 4242'],
    says: /address must/,
  },
  companyNumber: {
    taken: [['0'.repeat(50), '0'.repeat(50)]],
    refused: ['x'.repeat(51), 'a\u0007b', '\ud800'],
    says: /company_number must be 1 to 50 characters/,
  },
  vatNumber: {
    taken: [['GB123456789', 'GB123456789']],
    refused: ['x'.repeat(51)],
    says: /vat_number must be 1 to 50 characters/,
  },
  timeZone: {
    taken: [['europe/london', 'Europe/London']],
    refused: ['Europe/Atlantis'],
    says: /time_zone must be a name such as Europe\/London/,
  },
  statementDescriptor: {
    taken: [
      ['BOOKS', 'BOOKS'],
      ['12345 A'.padEnd(22, '6'), '12345 A'.padEnd(22, '6')],
    ],
    refused: ['BOOK', 'B'.repeat(23), '12345', 'Büchers', ...[...`<>\\'"*`].map((sign) => `BOOKS${sign}`)],
    says: /statement_descriptor must be 5 to 22 plain letters/,
  },
}

for (const [field, { taken, refused, says }] of Object.entries(rules)) {
  test(`${field} is accepted up to the limits of its rule`, () => {
    for (const [text, kept] of taken) {
      for (const typed of [text, ` ${text} `])
        assert.deepEqual(Object.values(readBrand({ [field]: typed })), [kept], typed)
    }
    for (const text of refused) {
      assert.throws(
        () => readBrand({ [field]: text }),
        (error) => error instanceof Refusal && says.test(error.message),
        text,
      )
    }
    assert.deepEqual(Object.values(readBrand({ [field]: ' ' })), [null], 'it is taken away')
  })
}

test('fields left out are unchanged', () => {
  assert.deepEqual(readBrand({}), {})
})

test('up to twenty hosts may embed the checkout', () => {
  const hosts = Array.from({ length: 20 }, (_, index) => `Shop${index}.example`)
  assert.deepEqual(
    readBrand({ embedHosts: hosts }).embed_hosts,
    hosts.map((host) => host.toLowerCase()),
  )
  assert.throws(() => readBrand({ embedHosts: [...hosts, 'one.more'] }), /embed_hosts must have at most 20/)
  for (const host of [
    'https://shop.example',
    'shop.example/path',
    '*.example',
    '-shop.example',
    'x'.repeat(254),
  ])
    assert.throws(() => readBrand({ embedHosts: [host] }), /embed_hosts must be host names/, host)
})

test('the order of payment methods names each at most once', () => {
  assert.deepEqual(readBrand({ methodOrder: ['bank', 'card'] }).method_order, ['bank', 'card'])
  assert.deepEqual(readBrand({ methodOrder: ['bank'] }).method_order, ['bank'])
  assert.deepEqual(readBrand({ methodOrder: [] }).method_order, [])
  for (const methodOrder of [['bank', 'bank'], ['cash'], ['card', 'cash']])
    assert.throws(
      () => readBrand({ methodOrder }),
      /method_order must list each of card, bank, mobile_money, wallet at most once/,
    )
})
