import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagePolicy, transportHeaders } from './security.ts'

test('a page runs its own scripts, is shown in no frame and sends its forms home', () => {
  assert.equal(
    pagePolicy(),
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
})

test('whatever else a page may do is what its policy names', () => {
  assert.equal(
    pagePolicy({
      styles: ["'sha256-a'", "'sha256-b'"],
      formAction: ['https://bank.example'],
      frameAncestors: ['https://shop.example', 'https://other.example'],
      frames: ['https://network.example'],
    }),
    "default-src 'none'; style-src 'self' 'sha256-a' 'sha256-b'; script-src 'self'; connect-src 'self'; " +
      "img-src 'self' data:; frame-src https://network.example; form-action 'self' https://bank.example; " +
      "frame-ancestors https://shop.example https://other.example; base-uri 'none'",
  )
  assert.equal(pagePolicy({ frames: [], frameAncestors: [], isInert: false }), pagePolicy())
})

test('on a page that is only looked at nothing runs, and no form is sent anywhere', () => {
  assert.equal(
    pagePolicy({ isInert: true, formAction: ['https://bank.example'] }),
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'; sandbox",
  )
})

test('browsers are told to keep to HTTPS for a year where Florin is reached over it, and nowhere else', () => {
  assert.deepEqual(transportHeaders('https://pay.example.com'), {
    'strict-transport-security': `max-age=${365 * 24 * 60 * 60}`,
  })
  assert.deepEqual(transportHeaders('http://localhost:3000'), {})
})
