import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCsv } from './csv.ts'

test('cells with commas, quotes and lines are quoted', () => {
  assert.equal(writeCsv([['a', 'b,c', 'd"e', 'f\ng']]), 'a,"b,c","d""e","f\ng"\r\n')
})

test('nothing becomes a formula', () => {
  assert.equal(writeCsv([['=1+1', '+1', '-1', '@SUM(A1)', '\t=1']]), "'=1+1,'+1,'-1,'@SUM(A1),'\t=1\r\n")
})
