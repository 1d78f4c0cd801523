import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectFields } from './form-fields.ts'
import { nestFields } from './nested-fields.ts'

function nested(query: string): string {
  return JSON.stringify(nestFields(collectFields(new URLSearchParams(query))))
}

test('brackets in names make nested fields, and numbers from 0 make a list', () => {
  const rows: [string, string][] = [
    ['a=1&b=2', '{"a":"1","b":"2"}'],
    ['a[b]=1&a[c][d]=2', '{"a":{"b":"1","c":{"d":"2"}}}'],
    ['a[]=1&a[]=2', '{"a":["1","2"]}'],
    ['a[0]=1&a[1]=2', '{"a":["1","2"]}'],
    ['a[1]=1&a[2]=2', '{"a":{"1":"1","2":"2"}}'],
    ['a[0]=1&a[]=2', '{"a":["1","2"]}'],
    ['a[][b]=1&a[][b]=2', '{"a":[{"b":"1"},{"b":"2"}]}'],
    ['a[b][]=1&a[b][]=2', '{"a":{"b":["1","2"]}}'],
  ]
  for (const [query, expected] of rows) assert.equal(nested(query), expected, query)
})

test('the first value wins, and a name with malformed brackets is a plain name', () => {
  const rows: [string, string][] = [
    ['a=1&a=2', '{"a":"1"}'],
    ['a[b]=1&a[b]=2', '{"a":{"b":"1"}}'],
    ['a[b]=1&a=2', '{"a":{"b":"1"}}'],
    ['a=1&a[b]=2', '{"a":"1"}'],
    ['a[b=1', '{"a[b":"1"}'],
    ['a]b[=1', '{"a]b[":"1"}'],
    ['[a]=1', '{"[a]":"1"}'],
    ['a[b]c=1', '{"a[b]c":"1"}'],
  ]
  for (const [query, expected] of rows) assert.equal(nested(query), expected, query)
})

test('no name reaches a prototype', () => {
  const object = nestFields(
    collectFields(new URLSearchParams('__proto__[x]=1&constructor[prototype][x]=1&a[__proto__][x]=1')),
  )
  assert.equal(({} as { x?: unknown }).x, undefined)
  assert.deepEqual(Object.keys(object), ['__proto__', 'constructor', 'a'])
})

test('names of any depth and length are read quickly', () => {
  const deep = nested(`a${'[b]'.repeat(20_000)}=1`)
  assert.ok(deep.length < 200, deep.slice(0, 300))
  nested(`a${'[]'.repeat(30_000)}=1`)
  nested(Array.from({ length: 20_000 }, () => 'a[]=1').join('&'))
})
