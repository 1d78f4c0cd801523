import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { isOwnForm, readOwnForm } from './own-form.ts'

const baseUrl = 'https://pay.example/florin'

function requestOf(headers: Readonly<Record<string, string>>, token = 'good'): FastifyRequest {
  return {
    headers: { host: 'inner:8080', ...headers },
    body: new Map([['token', token]]),
  } as unknown as FastifyRequest
}

test('a form counts as ours by the browser’s site header, else by its origin, else by its token alone', () => {
  const isFromHere = (headers: Readonly<Record<string, string>>): boolean =>
    isOwnForm(requestOf(headers), 'good', baseUrl)
  const cases: readonly [Readonly<Record<string, string>>, boolean][] = [
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://pay.example' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
    [{ origin: 'null' }, true],
    [{ origin: 'https://pay.example' }, true],
    [{ origin: 'http://inner:8080' }, true],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'http://pay.example' }, false],
    [{ origin: 'nonsense' }, false],
  ]
  for (const [headers, isOurs] of cases) assert.equal(isFromHere(headers), isOurs, JSON.stringify(headers))
})

test('a form without the payment’s token is refused, wherever it came from', () => {
  assert.equal(readOwnForm(requestOf({}), 'good', baseUrl).get('token'), 'good')
  for (const token of ['', 'bad!', 'goode'])
    assert.throws(() => readOwnForm(requestOf({}, token), 'good', baseUrl), { code: 'form_refused' })
  const empty = { headers: {}, body: undefined } as unknown as FastifyRequest
  assert.throws(() => readOwnForm(empty, 'good', baseUrl), { code: 'form_refused' })
  assert.throws(() => readOwnForm(requestOf({ 'sec-fetch-site': 'cross-site' }), 'good', baseUrl), {
    code: 'form_refused',
  })
})
