import assert from 'node:assert/strict'
import { test } from 'node:test'
import { warningsMax, noteWarnings, warningsOf, warnOf } from './unknown-fields.ts'

const known = new Set(['tx_ref', 'callback_url', 'return_url', 'meta', 'amount', 'email', 'save'])

test('an unknown field that resembles a known one, or is another service’s name for it, is warned about', () => {
  const rows: [string, string | undefined][] = [
    ['returnUrl', 'return_url'],
    ['callbackUrl', 'callback_url'],
    ['metadata', 'meta'],
    ['success_url', 'return_url'],
    ['redirectUrl', 'return_url'],
    ['webhook_url', 'callback_url'],
    ['txRef', 'tx_ref'],
    ['ammount', 'amount'],
    ['tx_ref', undefined],
    ['state', undefined],
    ['phone', undefined],
    ['customer', undefined],
    [`tx_ref\u202e`, undefined],
    [`tx_ref${'-'.repeat(40)}`, undefined],
  ]
  for (const [name, meant] of rows)
    assert.deepEqual(
      warnOf([name], known),
      meant === undefined ? [] : [`${name} was ignored: did you mean ${meant}?`],
      name,
    )
  assert.deepEqual(warnOf(['metadata', 'success_url'], new Set(['url', 'events'])), [])
})

test('warnings are few, however many names are sent, and quick', () => {
  const names = Array.from({ length: 9_000 }, (_, index) => `amount${index}`)
  const before = process.threadCpuUsage()
  const body = {}
  noteWarnings(body, warnOf(names, known))
  assert.ok(process.threadCpuUsage(before).user < 500_000)
  assert.equal(warningsOf(body)?.length, warningsMax)
  assert.equal(warningsOf({}), undefined)
  assert.equal(warningsOf(undefined), undefined)
})
