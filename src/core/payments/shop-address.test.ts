import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { namesOf } from '../notifications/events.ts'
import { events } from '../../app/modules.ts'
import { callbackAddress, returnAddress } from './shop-address.ts'

function to(return_url: string | null, tx_ref = 'order 1'): string | undefined {
  return returnAddress({ callback_url: null, return_url, tx_ref, state: 'success', dialect: null })
}

test('tx_ref and status are added, and the rest of the URL is unchanged', () => {
  assert.equal(to('https://shop.example'), 'https://shop.example/?tx_ref=order+1&status=success')
  assert.equal(
    to('https://shop.example/a?b=%20c&d&e=~#part'),
    'https://shop.example/a?b=%20c&d&e=~&tx_ref=order+1&status=success#part',
  )
  assert.equal(
    to('https://shop.example/?', 'a&status=b#c+d'),
    'https://shop.example/?tx_ref=a%26status%3Db%23c%2Bd&status=success',
  )
})

test('an existing status or tx_ref is replaced by the real one', () => {
  assert.equal(
    to('https://shop.example/?status=pending&x=1&tx%5Fref=old', 'new'),
    'https://shop.example/?x=1&tx_ref=new&status=success',
  )
})

test('unusual URLs stay safe', () => {
  assert.equal(to(null), undefined)
  for (const odd of ['javascript:alert(1)', 'data:text/html,hi', 'ftp://shop.example/', 'nonsense', '']) {
    assert.equal(to(odd), undefined, odd)
  }
  assert.equal(
    to('https://bücher.example/größe?ü=ö#ß', 'ž'),
    'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?%C3%BC=%C3%B6&tx_ref=%C5%BE&status=success#%C3%9F',
  )
  assert.equal(to(`https://shop.example/?x="><script>`)?.includes('<'), false)
})

test('for any URL, its own query is kept and our parameters can be read back', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }),
      (url, txRef) => {
        const before = new URL(url)
        const after = new URL(to(url, txRef) ?? '')
        const kept = [...before.searchParams].filter(([name]) => name !== 'tx_ref' && name !== 'status')
        assert.equal(after.hash, before.hash)
        assert.equal(after.host + after.pathname, before.host + before.pathname)
        assert.deepEqual(
          [...after.searchParams],
          [...kept, ['tx_ref', txRef.toWellFormed()], ['status', 'success']],
        )
      },
    ),
  )
})

const told = {
  callback_url: 'https://shop.example/ipn?shop=7',
  return_url: 'https://shop.example/thanks',
  tx_ref: 'order-1',
  state: 'success',
  dialect: null,
} as const
const family = { ...told, dialect: 'family' } as const

test('a notification’s URL has the payment’s tx_ref and status beside its own query', () => {
  const own = 'https://shop.example/ipn?shop=7&tx_ref=order-1'
  assert.equal(callbackAddress(told, 'payment.success'), `${own}&status=success`)
  assert.equal(
    callbackAddress({ ...told, state: 'cancelled' }, 'payment.cancelled'),
    `${own}&status=cancelled`,
  )
  assert.equal(callbackAddress(family, 'payment.success'), `${own}&trx_ref=order-1&status=success`)
  assert.equal(callbackAddress({ ...told, callback_url: null }, 'payment.success'), null)
})

test('a family plugin is notified of no event but payment.success', () => {
  for (const event of namesOf(events))
    assert.equal(callbackAddress(family, event) !== null, event === 'payment.success', event)
})

test('only a paying customer of a family plugin goes to the callback_url', () => {
  const ofCallback = 'https://shop.example/ipn?shop=7&tx_ref=order-1&trx_ref=order-1&status=success'
  assert.equal(returnAddress(family), ofCallback)
  for (const state of ['pending', 'failed', 'cancelled', 'expired', 'refunded', 'reversed'] as const)
    assert.equal(
      returnAddress({ ...family, state }),
      `https://shop.example/thanks?tx_ref=order-1&trx_ref=order-1&status=${state}`,
    )
  assert.equal(returnAddress(told), 'https://shop.example/thanks?tx_ref=order-1&status=success')
})

test('without a callback_url a paying customer of a family plugin goes to the return_url', () => {
  assert.match(returnAddress({ ...family, callback_url: null }) ?? '', /thanks\?.*status=success/)
  assert.equal(returnAddress({ ...family, callback_url: null, return_url: null }), undefined)
  assert.equal(returnAddress({ ...family, return_url: null, state: 'pending' }), undefined)
})
