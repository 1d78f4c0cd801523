import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buttonHtml } from './button.ts'

const link = { merchant_id: 10_000_001, id: 'lnk_0123456789abcdef', amount_minor: 1_234n, currency: 'GBP' }

test('a button is a plain payment link with an async script', () => {
  const made = buttonHtml(link, undefined, 'https://pay.example.com/')
  assert.match(
    made,
    /^<a href="https:\/\/pay\.example\.com\/link\/100000010123456789abcdef" data-florin style="[^"]*">Pay &#163;12\.34<\/a>\n/,
  )
  assert.ok(made.endsWith('<script async src="https://pay.example.com/checkout.js"></script>'), made)
})

test('a button names no amount where the customer chooses it', () => {
  assert.match(buttonHtml({ ...link, amount_minor: null }, undefined, 'https://pay.example.com'), />Pay<\/a>/)
})

test('a button has the merchant’s colour, darkened until white can be read on it', () => {
  assert.match(
    buttonHtml(link, '#00ff00', 'https://pay.example.com'),
    /background:#00[0-9a-f]{4};color:#ffffff/,
  )
  assert.doesNotMatch(buttonHtml(link, '#00ff00', 'https://pay.example.com'), /background:#00ff00/)
})
