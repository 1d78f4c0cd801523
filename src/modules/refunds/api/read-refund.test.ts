import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readRefund } from './read-refund.ts'

function read(body: string, currency = 'GBP') {
  return readRefund(JSON.parse(body), currency, body)
}

test('a refund needs a reference, and may have an amount and a reason', () => {
  const all = { refundRef: 'r-1', amountMinor: undefined, reason: undefined }
  for (const [body, expected] of [
    ['{"refund_ref":"r-1"}', all],
    ['{"refund_ref":7}', { ...all, refundRef: '7' }],
    ['{"refund_ref":"r-1","amount":"12.5"}', { ...all, amountMinor: 1_250n }],
    ['{"refund_ref":"r-1","amount":12.50}', { ...all, amountMinor: 1_250n }],
    ['{"refund_ref":"r-1","amount":0.1}', { ...all, amountMinor: 10n }],
    ['{"refund_ref":"r-1","amount_minor":1250}', { ...all, amountMinor: 1_250n }],
    ['{"refund_ref":"r-1","reason":"Too small"}', { ...all, reason: 'Too small' }],
    ['{"refund_ref":"r-1","reason":""}', all],
  ] as const)
    assert.deepEqual(read(body), expected, body)
  assert.deepEqual(read('{"refund_ref":"r-1","amount":"12"}', 'JPY').amountMinor, 12n)
})

const refused: readonly (readonly [body: string, field: string, rule: RegExp])[] = [
  ['{}', 'refund_ref', /required/],
  ['{"refund_ref":""}', 'refund_ref', /required/],
  [`{"refund_ref":"${'x'.repeat(256)}"}`, 'refund_ref', /255/],
  ['{"refund_ref":"r-1","amount":""}', 'amount', /must not be empty; leave it out to refund the rest/],
  ['{"refund_ref":"r-1","amount":null}', 'amount', /must not be empty/],
  ['{"refund_ref":"r-1","amount_minor":null}', 'amount_minor', /must not be empty/],
  ['{"refund_ref":"r-1","amount":"5","amount_minor":501}', 'amount_minor', /equal to amount, which is 500/],
  ['{"refund_ref":"r-1","amount":"0"}', 'amount', /./],
  ['{"refund_ref":"r-1","amount":"-1"}', 'amount', /./],
  ['{"refund_ref":"r-1","amount":"12,50"}', 'amount', /./],
  ['{"refund_ref":"r-1","amount":"1.005"}', 'amount', /./],
  ['{"refund_ref":"r-1","amount":true}', 'amount', /must be a string or a number/],
  ['{"refund_ref":"r-1","amount":["5"]}', 'amount', /must be a string or a number/],
  [
    '{"refund_ref":"r-1","ammount":"5"}',
    'ammount',
    /is not a known field, use refund_ref, amount, amount_minor, reason/,
  ],
  [`{"refund_ref":"r-1","reason":"${'x'.repeat(256)}"}`, 'reason', /255/],
  ['{"refund_ref":"r-1","reason":"card 4242 4242 4242 4242"}', 'reason', /card/],
]

for (const [body, field, rule] of refused) {
  test(`${body.slice(0, 60)} is refused for its ${field}`, () => {
    assert.throws(
      () => read(body),
      (error) => {
        assert.ok(error instanceof Refusal)
        assert.match(String(error.errors?.[field]), rule)
        return true
      },
    )
  })
}

test('the longest reference and reason are accepted', () => {
  const long = 'x'.repeat(255)
  assert.deepEqual(read(`{"refund_ref":"${long}","reason":"${long}"}`), {
    refundRef: long,
    amountMinor: undefined,
    reason: long,
  })
})
