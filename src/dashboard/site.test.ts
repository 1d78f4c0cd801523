import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { siteOf } from './site.ts'

for (const [baseUrl, host, expected] of [
  ['https://pay.example.com', 'other.example', 'pay.example.com https://pay.example.com'],
  ['https://pay.example.com/shop', '', 'pay.example.com https://pay.example.com'],
  ['http://localhost:3000', '', 'localhost http://localhost:3000'],
  ['http://127.0.0.1:3000', 'localhost:3000', 'localhost http://localhost:3000'],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', undefined],
  ['http://127.0.0.1:3000', 'localhost.example', undefined],
  ['http://pay.example.com', 'pay.example.com', undefined],
  ['https://127.0.0.1', 'localhost', undefined],
  ['https://[::1]', '', undefined],
] as const)
  test(`passkeys of ${baseUrl}, opened as ${host || 'nothing'}, belong to ${expected ?? 'no site'}`, () => {
    const site = siteOf(baseUrl, { headers: { host } } as FastifyRequest)
    assert.equal(site && `${site.host} ${site.origin}`, expected)
  })
