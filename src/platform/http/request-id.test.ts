import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { makeRequestId, makeRequestIds } from './request-id.ts'

const proxy = '10.0.0.1'

function idOf(given: unknown, remoteAddress: string, trusted: readonly string[] = [proxy]): string {
  const request = { headers: { 'x-request-id': given }, socket: { remoteAddress } }
  return makeRequestIds(trusted)(request as unknown as IncomingMessage)
}

const ours = /^req_[\w-]{13,}$/

test('our own request ids never repeat', () => {
  const ids = Array.from({ length: 100 }, makeRequestId)
  for (const id of ids) assert.match(id, ours)
  assert.equal(new Set(ids).size, ids.length)
})

test('a proxy’s id is accepted with 8 to 128 characters that are safe in the log', () => {
  const letters = 'aZ09_.:/+=-'
  for (const given of ['x'.repeat(8), 'x'.repeat(128), letters]) assert.equal(idOf(given, proxy), given)
  const refused = ['', 'x'.repeat(7), 'x'.repeat(129), '12345678"', '12345678 ', '12345678\n', 'ünfünfün']
  for (const odd of [...refused, undefined, ['12345678']]) assert.match(idOf(odd, proxy), ours, String(odd))
})

test('an id from anyone but a listed proxy is ignored', () => {
  assert.match(idOf('12345678', '10.0.0.2'), ours)
  assert.match(idOf('12345678', proxy, []), ours)
})
