import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoted } from './tables.ts'

test('each part of a name is quoted separately', () => {
  assert.equal(quoted('books.a"b'), '"books"."a""b"')
})
