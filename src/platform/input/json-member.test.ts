import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memberText } from './json-member.ts'

test('a member’s value is found as it was written', () => {
  const rows: [object: string, value: string][] = [
    ['{"a":1.10}', '1.10'],
    [' {\n "b" : [1,{"a":2}] , "a" :\t1e3 \r\n} ', '1e3'],
    ['{"a":{"x":[1, 2],"y":"}"}}', '{"x":[1, 2],"y":"}"}'],
    ['{"a":"\\\\","b":2}', '"\\\\"'],
    ['{"a":"\\"a\\":5,","b":"\\\\\\""}', '"\\"a\\":5,"'],
    ['{"\\u0061":7}', '7'],
    ['{"a":null}', 'null'],
    ['{}', ''],
    ['{"b":"a","c":["a"],"A":1,"a ":2,"x\\"a":3}', ''],
    ['{"b":{"a":1}}', ''],
  ]
  for (const [object, value] of rows) assert.equal(memberText(object, 'a'), value, object)
})

test('the last of a repeated member counts, wherever others of that name appear', () => {
  assert.equal(memberText('{"a":1,"x":{"a":9},"a":2,"y":[{"a":8}]}', 'a'), '2')
  assert.equal(memberText('{"a":1,"\\u0061":{"a":3},"x":{"a":9}}', 'a'), '{"a":3}')
})

test('the value found is always the one JSON.parse took', () => {
  const name = fc.constantFrom('a', 'b', 'meta', '"a', 'a\\', '"a":1,', '{')
  const value = fc.oneof(fc.jsonValue(), fc.dictionary(name, fc.jsonValue()), name)
  const space = fc.constantFrom('', ' ', '\n\t')
  const member = fc
    .tuple(name, value, space, space)
    .map(
      ([key, inner, before, after]) =>
        `${before}${JSON.stringify(key)}${after}:${before}${JSON.stringify(inner, null, after.length)}${after}`,
    )
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), name, (members, wanted) => {
      const object = `{${members.join(',')}}`
      const parsed = JSON.parse(object) as Record<string, unknown>
      const found = memberText(object, wanted)
      if (!Object.hasOwn(parsed, wanted)) return assert.equal(found, '')
      assert.deepEqual(JSON.parse(found), parsed[wanted])
    }),
    { numRuns: 2000 },
  )
})

test('a text nested as deep as a body can be is read', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  assert.equal(memberText(`{"x":${deep},"a":1.10}`, 'a'), '1.10')
  assert.equal(memberText(`{"a":${deep}}`, 'a'), deep)
})
