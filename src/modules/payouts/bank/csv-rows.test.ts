import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCsvReader } from './csv-rows.ts'

function read(text: string): string[][] {
  const rows: string[][] = []
  const reader = makeCsvReader(',', (cells) => rows.push(cells))
  reader.write(text)
  reader.end()
  return rows
}

test('quotes count where a cell begins, and are text behind it', () => {
  for (const [text, cell] of [
    ['"abc" "def"', 'abc "def"'],
    ['"" "x"', 'x'],
    ['  "a""b" ', 'a"b'],
    ['a"b"', 'a"b"'],
    ['"  " "x"', 'x'],
  ] as const)
    assert.deepEqual(read(`${text},c\n`), [[cell, 'c']])
})
