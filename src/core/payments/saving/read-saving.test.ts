import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fields } from '../../../platform/input/fields.ts'
import { cardDataRule } from '../../../platform/money/card-data.ts'
import { limits } from '../limits.ts'
import { readSavingRequest } from './read-saving.ts'

function read(body: object, { currency, text }: { currency?: string | undefined; text?: string } = {}) {
  const fields = new Fields(body)
  const saving = readSavingRequest(fields, text ?? JSON.stringify(body), currency)
  return { saving, errors: { ...fields.errors } }
}

const least = { save: 'recurring', customer_ref: 'ada' }
const gbp = { currency: 'GBP' }

test('a payment without save saves nothing', () => {
  assert.deepEqual(read({}, gbp), { saving: null, errors: {} })
  assert.deepEqual(read({ save: ' ' }, gbp), { saving: null, errors: {} })
})

test('a save_limit without save is refused', () => {
  assert.deepEqual(read({ save_limit: '5' }, gbp), {
    saving: null,
    errors: { save_limit: ['save_limit needs save: recurring or unscheduled'] },
  })
})

test('a customer_ref without save names who pays, by the same rules', () => {
  assert.deepEqual(read({ customer_ref: 'ada' }, gbp), { saving: { customerRef: 'ada' }, errors: {} })
  assert.deepEqual(read({ customer_ref: '4242 4242 4242 4242 08/29 123' }, gbp), {
    saving: null,
    errors: { customer_ref: [`customer_ref ${cardDataRule}`] },
  })
})

test('each agreement is kept with the customer, and with a limit only if there is one', () => {
  for (const agreement of ['recurring', 'unscheduled'])
    assert.deepEqual(read({ ...least, save: agreement }, gbp), {
      saving: { asked: { agreement, customerRef: 'ada' } },
      errors: {},
    })
})

test('a limit is read in minor units of the currency, digit by digit as it was sent', () => {
  for (const [limit, currency, limitMinor] of [
    ['25.00', 'GBP', '2500'],
    [25.5, 'GBP', '2550'],
    ['2500', 'JPY', '2500'],
  ] as const)
    assert.deepEqual(
      read({ ...least, save_limit: limit }, { currency }).saving?.asked?.limitMinor,
      limitMinor,
    )
  // Its last digit is lost in a number of JavaScript.
  const text = '{"save_limit": 25.10000000000000001}'
  assert.deepEqual(Object.keys(read({ ...least, save_limit: 25.1 }, { ...gbp, text }).errors), ['save_limit'])
})

test('without a currency a limit is not read: the currency is the mistake', () => {
  assert.deepEqual(read({ ...least, save_limit: 'much' }), {
    saving: { asked: { agreement: 'recurring', customerRef: 'ada' } },
    errors: {},
  })
})

for (const [body, field, rule] of [
  [{ ...least, save: 'always' }, 'save', 'save must be one of recurring, unscheduled'],
  [{ ...least, save: true }, 'save', 'save must be one of recurring, unscheduled'],
  [{ save: 'recurring' }, 'customer_ref', 'customer_ref is required'],
  [
    { ...least, customer_ref: 'a'.repeat(limits.customerRef + 1) },
    'customer_ref',
    'customer_ref must be at most 255 characters',
  ],
  [
    { ...least, customer_ref: '4242 4242 4242 4242 08/29 123' },
    'customer_ref',
    `customer_ref ${cardDataRule}`,
  ],
] as const)
  test(`a payment with ${JSON.stringify(body).slice(0, 60)} saves nothing and names ${field}`, () => {
    assert.deepEqual(read(body, gbp), { saving: null, errors: { [field]: [rule] } })
  })

test('a limit that is no amount is refused by its own name', () => {
  assert.deepEqual(read({ ...least, save_limit: true }, gbp).errors, {
    save_limit: ['save_limit must be a string or a number'],
  })
  for (const limit of ['1.999', 'much', '0', '-5']) {
    const { errors } = read({ ...least, save_limit: limit }, gbp)
    assert.deepEqual(Object.keys(errors), ['save_limit'])
    assert.match(errors['save_limit']?.[0] ?? '', /^save_limit (?!.*\bamount\b)/)
  }
})
