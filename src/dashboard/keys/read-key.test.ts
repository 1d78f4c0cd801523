import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { readKeyRequest, readKind, readOverlap } from './read-key.ts'

const secrets = {} as Secrets
const form = { kind: 'form', name: 'Till', hosts: 'shop.example.com' }

function read(fields: Record<string, string>) {
  return readKeyRequest(new Map(Object.entries(fields)), 'test', secrets)
}

function boundsOf(fields: Record<string, string>) {
  const request = read({ ...form, ...fields })
  assert.equal(request.kind, 'form')
  return request.bounds
}

for (const [min, max, bounds] of [
  ['1.00', '20.00', [100n, 2_000n]],
  ['1,50', '1.250,00', [150n, 125_000n]],
  ['£ 5', '', [500n, undefined]],
  ['', '5,00', [undefined, 500n]],
  ['5', '5', [500n, 500n]],
] as const) {
  test(`limits of "${min}" and "${max}" are read as typed by a person`, () => {
    const { minMinor, maxMinor } = boundsOf({ currency: 'GBP', min, max }) ?? {}
    assert.deepEqual([minMinor, maxMinor], bounds)
  })
}

for (const [fields, field] of [
  [{ min: '1' }, 'currency'],
  [{ currency: 'GBP', min: '1,000' }, 'min'],
  [{ currency: 'GBP', max: 'much' }, 'max'],
  [{ currency: 'GBP', min: '6,00', max: '5.99' }, 'max'],
  [{ currency: 'XXQ' }, 'currency'],
  [{ hosts: ' ' }, 'hosts'],
  [{ name: ' ' }, 'name'],
] as const) {
  test(`${JSON.stringify(fields)} is refused at ${field}`, () => {
    assert.throws(
      () => read({ ...form, ...fields }),
      (error) => error instanceof Refusal && Object.hasOwn(error.errors ?? {}, field),
    )
  })
}

test('a form key is bound only to the fields that were filled in', () => {
  assert.deepEqual(boundsOf({ hosts: 'a.example, b.example\nc.example' }), {
    hosts: ['a.example', 'b.example', 'c.example'],
    showsTitle: false,
  })
  const typed = { callback_hosts: 'api.example', tx_ref_prefix: 'web-', currency: 'GBP', title: 'yes' }
  assert.deepEqual(boundsOf(typed), {
    hosts: ['shop.example.com'],
    callbackHosts: ['api.example'],
    txRefPrefix: 'web-',
    showsTitle: true,
    currencies: ['GBP'],
  })
})

test('only a signed form key gets a signing secret, and its form always shows the title', () => {
  const signed = read({ ...form, signed: 'yes', title: 'yes' })
  assert.ok(signed.kind === 'form')
  assert.equal(signed.signing, secrets)
  assert.equal(signed.bounds?.showsTitle, false, 'the signature covers the title')
  const plain = read(form)
  assert.ok(plain.kind === 'form' && plain.signing === undefined)
})

test('a secret key may refund unless the form says otherwise', () => {
  assert.deepEqual(read({ kind: 'secret', name: 'Server' }), {
    kind: 'secret',
    mode: 'test',
    name: 'Server',
    dialect: 'florin',
    mayRefund: true,
  })
  const careful = read({ kind: 'secret', name: 'Server', refunds: 'no' })
  assert.ok(careful.kind === 'secret' && careful.mayRefund === false)
  for (const kind of ['secret', 'form']) {
    const family = read({ ...form, kind, dialect: 'family' })
    assert.ok(family.kind !== 'api' && family.dialect === 'family')
  }
  assert.deepEqual(read({ kind: 'api', name: ' Plugin ', dialect: 'family' }), {
    kind: 'api',
    name: 'Plugin',
  })
  assert.equal(readKind('root'), 'secret')
})

test('the old key stays valid for 0, 1, 24 or 72 hours, and no other time', () => {
  for (const overlap of ['0', '1', '24', '72'])
    assert.equal(readOverlap(new Map([['overlap', overlap]])), Number(overlap))
  for (const overlap of ['', '2', '73', '-1', '1e1', 'x'])
    assert.throws(() => readOverlap(new Map([['overlap', overlap]])), Refusal)
  assert.throws(() => readOverlap(new Map()), Refusal)
})
