import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkCode, linkUrl, readLinkCode } from './address.ts'

const link = { merchant_id: 12_345_678, id: 'lnk_0123456789abcDEF' }

test('a link’s URL holds its merchant and id, wherever Florin runs', () => {
  assert.deepEqual(readLinkCode(linkCode(link)), { merchantId: 12_345_678, id: link.id })
  for (const base of ['https://pay.example.com', 'https://pay.example.com/', 'https://pay.example.com//'])
    assert.equal(linkUrl(link, base), 'https://pay.example.com/link/123456780123456789abcDEF')
  assert.equal(
    linkUrl(link, 'https://example.com/pay'),
    'https://example.com/pay/link/123456780123456789abcDEF',
  )
})

for (const code of [
  '',
  '12345678',
  '123456780123456789abcDE',
  '123456780123456789abcDEF0',
  '12345678_123456789abcDEF',
  ' 123456780123456789abcDEF',
  'x2345678 0123456789abcDE',
])
  test(`"${code}" is no valid link URL`, () => assert.equal(readLinkCode(code), undefined))
