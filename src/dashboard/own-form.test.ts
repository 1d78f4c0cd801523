import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { refuseForeignForm, tokenFor } from './own-form.ts'

const baseUrl = 'https://pay.example.com'
const token = tokenFor('cookie')

function isTaken(headers: Record<string, string>, given: string | undefined = token): boolean {
  const request = { headers: { host: 'pay.example.com', ...headers } } as unknown as FastifyRequest
  try {
    refuseForeignForm(request, baseUrl, token, given)
    return true
  } catch {
    return false
  }
}

for (const [what, headers, isOurs] of [
  ['that says nothing of where it was', {}, true],
  ['of the same origin', { origin: baseUrl, 'sec-fetch-site': 'same-origin' }, true],
  ['that somebody began by hand', { 'sec-fetch-site': 'none' }, true],
  ['of another host of the same site', { 'sec-fetch-site': 'same-site' }, false],
  ['of another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['of another origin', { origin: 'https://evil.example' }, false],
  ['of a page without an origin', { origin: 'null' }, false],
  [
    'of a developer’s own name for this machine',
    { origin: 'http://localhost:3000', host: 'localhost:3000' },
    true,
  ],
  ['of another port of this machine', { origin: 'http://localhost:4000', host: 'localhost:3000' }, false],
  ['of a host that begins like ours', { origin: 'https://pay.example.com.evil.example' }, false],
] as const)
  test(`a form ${what} is ${isOurs ? 'ours' : 'refused'}, with the right token`, () =>
    assert.equal(isTaken(headers), isOurs))

for (const given of ['', 'x', token.slice(1), `${token}x`, tokenFor('another cookie')])
  test(`a form of the same origin with the token "${given.slice(0, 8)}" of ${given.length} is refused`, () =>
    assert.equal(isTaken({ origin: baseUrl, 'sec-fetch-site': 'same-origin' }, given), false))

test('a form without a token is refused', () => {
  const request = { headers: { host: 'pay.example.com' } } as unknown as FastifyRequest
  assert.throws(() => refuseForeignForm(request, baseUrl, token, undefined))
})
