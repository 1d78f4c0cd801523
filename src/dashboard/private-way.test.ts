import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateWay } from './private-way.ts'

for (const [baseUrl, hostname, isPrivate] of [
  ['https://pay.example.com', 'pay.example.com', true],
  ['https://pay.example.com', '127.0.0.1', true],
  ['http://pay.example.com', 'pay.example.com', false],
  ['http://pay.example.com', 'localhost', false],
  ['http://127.0.0.1:3000', '127.0.0.1', true],
  ['http://localhost:3000', 'localhost', true],
  ['http://[::1]:3000', '[::1]', true],
  ['http://127.0.0.1:3000', '192.168.1.7', false],
  ['http://127.0.0.1:3000', 'pay.example.com', false],
] as const)
  test(`cookies for ${hostname} at ${baseUrl} ${isPrivate ? 'stay private' : 'can be read on the way'}`, () => {
    assert.equal(isPrivateWay(baseUrl, { hostname } as never), isPrivate)
  })
