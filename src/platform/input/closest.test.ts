import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closest } from './closest.ts'

test('a misspelt word finds the intended one', () => {
  const known = ['tx_ref', 'amount', 'email', 'first_name', 'last_name', 'currency', 'save']
  const rows: [string, string | undefined][] = [
    ['txRef', 'tx_ref'],
    ['TX-REF', 'tx_ref'],
    ['amuont', 'amount'],
    ['ammount', 'amount'],
    ['mail', 'email'],
    ['firstname', 'first_name'],
    ['lastName', 'last_name'],
    ['curency', 'currency'],
    ['cur', undefined],
    ['reference', undefined],
    ['name', undefined],
    ['state', undefined],
    ['', undefined],
    ['€', undefined],
  ]
  for (const [word, meant] of rows) assert.equal(closest(word, known), meant, word)
  assert.equal(closest('tx_ref', []), undefined)
})

test('words of any length are compared quickly', () => {
  const before = process.threadCpuUsage()
  const long = 'a'.repeat(60_000)
  for (let count = 0; count < 100; count += 1) closest(long, [`${long}b`, 'amount'])
  assert.ok(process.threadCpuUsage(before).user < 1_000_000)
})
