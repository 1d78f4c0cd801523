import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCookies, readCookie } from './cookies.ts'

for (const [header, value] of [
  ['a-session=one', 'one'],
  ['b=2; a-session=one; c=3', 'one'],
  [' a-session=one ', 'one'],
  ['a-session=one; a-session=two', undefined],
  ['a-session=one; a-session=one', undefined],
  ['xa-session=one', undefined],
  ['a-session=', undefined],
  ['a-session=with space', undefined],
  ['a-session="one"', undefined],
  [`a-session=${'x'.repeat(900)}`, 'x'.repeat(900)],
  [`a-session=${'x'.repeat(901)}`, undefined],
  ['', undefined],
  [undefined, undefined],
] as const)
  test(`the cookie in "${header?.slice(0, 40)}" is ${value?.slice(0, 10)}`, () =>
    assert.equal(readCookie(header, 'a-session'), value))

test('over HTTPS cookies are protected from other hosts, and on a plain address their name holds the port', () => {
  const secure = makeCookies('https://pay.example.com/shop').write('session', 'x')
  assert.equal(secure, '__Host-florin-session=x; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure')
  const plain = makeCookies('http://localhost:3000')
  assert.equal(plain.clear('session'), 'florin-3000-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
})

for (const [name, seconds] of [
  ['session', 30 * 24 * 3_600],
  ['visit', 24 * 3_600],
  ['device', 365 * 24 * 3_600],
  ['flow', 600],
  ['notice', 60],
] as const)
  test(`the cookie ${name} is kept for ${seconds} seconds`, () =>
    assert.match(makeCookies('https://pay.example.com').write(name, 'x'), new RegExp(`Max-Age=${seconds};`)))
