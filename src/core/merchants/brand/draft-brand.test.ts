import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainBrand, type Brand } from './brand.ts'
import { draftBrand } from './draft-brand.ts'

const whole: Brand = {
  colour: '#17603f',
  website: 'https://shop.example',
  supportEmail: 'help@shop.example',
  supportPhone: '+44 20 7946 0000',
  address: ['1 High Street', 'London'],
  companyNumber: '01234567',
  vatNumber: 'GB123456789',
  country: 'GB',
  timeZone: 'Europe/London',
  statementDescriptor: 'CORNER SHOP',
  embedHosts: ['shop.example'],
  languages: ['de', 'en'],
  receiptFirst: true,
  methodOrder: ['bank', 'card'],
  termsUrl: 'https://shop.example/terms',
  privacyUrl: 'https://shop.example/privacy',
  legalNoticeUrl: 'https://shop.example/legal',
  logoId: 'a'.repeat(32),
}

test('a draft is the brand with only the changed fields replaced', () => {
  for (const brand of [plainBrand, whole]) {
    assert.deepEqual(draftBrand(brand, {}), brand)
    assert.deepEqual(draftBrand(brand, { colour: '#ffe600', address: '2 Low Street' }), {
      ...brand,
      colour: '#ffe600',
      address: ['2 Low Street'],
    })
  }
  assert.deepEqual(draftBrand(whole, { supportEmail: '', address: '', languages: [] }), {
    ...whole,
    supportEmail: undefined,
    address: [],
    languages: [],
  })
})

test('a draft is refused by the same rules as the brand', () => {
  assert.throws(() => draftBrand(whole, { supportEmail: 'help' }), /support_email must be/)
})
