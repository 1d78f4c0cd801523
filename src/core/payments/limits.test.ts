import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { limits } from './limits.ts'

test('a payment’s texts may be as long as docs/limits.md says', () => {
  const page = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8')
  const told: readonly (readonly [name: string, limit: string])[] = [
    ['tx_ref', `1 to ${limits.txRef} characters`],
    ['email', `${limits.email} characters`],
    ['first_name, last_name', `1 to ${limits.name} characters`],
    ['items', `${limits.items}, at most 5 levels deep; names ${limits.itemName} characters`],
    ['invoice_number', `${limits.invoiceNumber} characters`],
    ['title, description', `${limits.title}, ${limits.description} characters`],
  ]
  for (const [name, limit] of told)
    assert.match(page, new RegExp(String.raw`^\| ${name} \| ${limit}[^\w]`, 'm'), name)
})
