import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagePolicy, transportHeaders } from './security.ts'

test('a page runs only its own scripts, can’t be framed and posts only to us', () => {
  assert.equal(
    pagePolicy(),
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
})

test('the policy lists everything else a page may do', () => {
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

test('a view-only page runs nothing and can’t send forms', () => {
  assert.equal(
    pagePolicy({ isInert: true, formAction: ['https://bank.example'] }),
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'; sandbox",
  )
})

test('HSTS for a year is sent only where Florin is reached over HTTPS', () => {
  assert.deepEqual(transportHeaders('https://pay.example.com'), {
    'strict-transport-security': `max-age=${365 * 24 * 60 * 60}`,
  })
  assert.deepEqual(transportHeaders('http://localhost:3000'), {})
})
