import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// What a merchant wrote is what counts: no number becomes another on its way through a double.

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

/** A create whose body is written by hand, `members` behind the usual ones. */
async function create(members: string): Promise<Answer & { found: string }> {
  const request = paymentRequest({ amount: undefined })
  const body = `${JSON.stringify(request).slice(0, -1)},${members}}`
  const answer = await post(`${house.url}/api/payment`, body, house.secretKey)
  const path = `/api/transaction/${String(request['tx_ref'])}`
  return { ...answer, found: (await call(house.url + path, { key: house.secretKey })).text }
}

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

test('meta is returned as sent, including numbers no double can hold', async () => {
  const meta =
    '{"z":1,"a":12345678901234567890,"price":1.10,"tiny":1e-7,"__proto__":{"x":1},"list":[true,null,"Ж"]}'
  const { found } = await create(`"amount":"1","meta":${meta}`)
  assert.ok(found.includes(`"meta":${meta},`), found)
})

test('ignored fields may be nested to any depth, beside exact numbers', async () => {
  for (const levels of [3_000, 30_000]) {
    const answer = await create(`"amount":"1","x":${deep(levels)},"meta":{"a":1.10}`)
    assert.equal(answer.status, 201, answer.text)
    assert.match(answer.found, /"meta":\{"a":1\.10\}/)
  }
  const half = await post(`${house.url}/api/payment`, `{"x":${'['.repeat(50_000)}`, house.secretKey)
  assert.equal(half.json.code, 'malformed_body')
})

test('meta nested too deep is refused, and so is a repeated name in it', async () => {
  for (const levels of [3_000, 30_000]) {
    const refused = await create(`"amount":"1","meta":{"a":${deep(levels)},"b":1.10}`)
    assert.equal(refused.json.message, 'meta must be at most 5 levels deep')
    const twice = await create(`"amount":"1","meta":{"a":${deep(levels)},"a":1.10}`)
    assert.equal(twice.json.message, 'The request body has "a" more than once: send it once')
  }
})

test('only the top-level meta counts, whatever else has its name', async () => {
  const answer = await create(
    '"amount":"1","x":{"meta":{"id":12345678901234567000}},"meta": {"id":12345678901234567890}',
  )
  assert.match(answer.found, /"meta":\{"id":12345678901234567890\}/)
})

test('an amount is read as written, never as a double', async () => {
  for (const amount of ['19.99999999999999999', '999999999.98999999999', '1000.001', '1e3', '1E+2', '1e-2']) {
    const answer = await create(`"amount":${amount}`)
    assert.equal(answer.status, 400, amount)
    assert.deepEqual(Object.keys(answer.json.errors ?? {}), ['amount'])
  }
  assert.match((await create('"amount":1234.50')).found, /"amount":"1,234\.50"/)
})

test('a card number too long for a double is detected to its last digit', async () => {
  for (const meta of ['{"card":4000001234567890124}', '{"card":{"n":[ 4000001234567890124]}}']) {
    const answer = await create(`"amount":"1","meta":${meta}`)
    assert.equal(answer.json.message, 'meta must not contain a card number: Florin never stores card numbers')
  }
  const order = await create('"amount":"1","meta":{"order":4000001234567890124,"card":4000001234567890123}')
  assert.match(order.found, /"meta":\{"order":4000001234567890124,"card":4000001234567890123\}/)
})
