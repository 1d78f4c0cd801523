import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../errors/refusals.ts'
import { Fields, isTime, Query } from './fields.ts'

test('real calendar dates and times are accepted', () => {
  for (const text of ['2026-11-15', '2028-02-29', '2026-11-15T14:05Z', '2026-11-15T14:05:00.123456+01:00']) {
    assert.ok(isTime(text), text)
  }
})

test('times that only JavaScript would accept are refused', () => {
  const odd = [
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '0000-01-01',
    '2026-11-15T24:00:00Z',
    '2026-11-15T14:05:60Z',
  ]
  for (const text of [
    ...odd,
    '2026-11-15T14:05:00+15:00',
    '2026-11-15T14:05',
    'http://[::1',
    'order 15',
    '15',
    'now',
    'infinity',
    '',
  ]) {
    assert.ok(!isTime(text), text)
  }
})

test('every instant in ISO form is accepted', () => {
  const moments = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(fc.property(moments, (moment) => isTime(moment.toISOString())))
})

test('empty values are dropped, and text is trimmed', () => {
  const fields = new Fields({ a: null, b: '', c: ' \n', d: [], e: {}, f: ' x ', g: 0, h: false, i: [1] })
  for (const name of ['a', 'b', 'c', 'd', 'e', 'z']) assert.equal(fields.value(name), undefined, name)
  assert.deepEqual(
    ['f', 'g', 'h', 'i'].map((name) => fields.value(name)),
    ['x', 0, false, [1]],
  )
})

function refusedBy(query: string, known: readonly string[]): unknown {
  const asked: Record<string, string | string[]> = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(query)) {
    const before = asked[name]
    asked[name] = before === undefined ? value : [before, value].flat()
  }
  const fields = new Query(asked)
  for (const name of known) fields.value(name)
  try {
    fields.checkAll()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return JSON.parse(JSON.stringify(error.errors))
  }
}

test('an unknown parameter is refused by its name, whatever it is called', () => {
  assert.equal(refusedBy('a=1&b=&c=', ['a', 'b']), undefined)
  assert.deepEqual(refusedBy('a=1&page=2&page=3', ['a', 'b']), {
    page: ['page is not a known parameter, use a, b'],
  })
  assert.deepEqual(refusedBy('page=2', []), { page: ['page is not a known parameter'] })
  assert.deepEqual(refusedBy('Limits=1', ['a', 'limit']), {
    Limits: ['Limits is not a known parameter, did you mean limit? Use a, limit'],
  })
  for (const name of ['constructor', 'toString', 'b[]']) {
    const errors = refusedBy(`${name}=1`, ['a']) as object
    assert.deepEqual(Object.entries(errors), [[name, [`${name} is not a known parameter, use a`]]])
  }
  assert.equal(refusedBy('_=1&_cb=2&__proto__=3', ['a']), undefined, 'caches and trackers add these')
  assert.deepEqual(refusedBy('a=1&a=2', ['a']), { a: ['a must be sent only once'] })
})
