import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant, enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { currencyCodes } from '../../src/platform/money/currencies.ts'
import { formatAmount, plainAmount } from '../../src/platform/money/money.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

let house: House

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' } })
})
after(() => house.close())

async function lookUp(txRef: string, key = house.secretKey): ReturnType<typeof call> {
  return call(`${house.url}/api/transaction/${encodeURIComponent(txRef)}`, { key })
}

test('a look-up has exactly the documented fields, with formatted amounts and times to the microsecond', async () => {
  const request = paymentRequest({
    customization: { title: 'Order', description: 'Two chairs' },
    meta: { cart: 7 },
  })
  const created = await post(`${house.url}/api/payment`, request, house.secretKey)
  const answer = await lookUp(String(request['tx_ref']))
  const data = answer.json.data as Record<string, string>
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json, {
    status: 'success',
    message: 'Payment details',
    data: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      currency: 'GBP',
      amount: '1,234.50',
      amount_minor: 123_450,
      charge: '17.48',
      charge_minor: 1_748,
      refunded_minor: 0,
      mode: 'test',
      type: 'API',
      status: 'pending',
      reference: data['reference'],
      tx_ref: request['tx_ref'],
      customization: { title: 'Order', description: 'Two chairs', logo: '' },
      meta: { cart: 7 },
      created_at: data['created_at'],
      updated_at: data['updated_at'],
      expires_at: data['expires_at'],
      checkout_url: (created.json.data as { checkout_url: string }).checkout_url,
    },
  })
  assert.match(data['reference'] ?? '', /^FL[2-9A-Z]{12}$/)
  assert.match(data['created_at'] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test('times have the database’s microseconds, not milliseconds with zeros', async () => {
  const times: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const request = paymentRequest()
    await post(`${house.url}/api/payment`, request, house.secretKey)
    times.push((await lookUp(String(request['tx_ref']))).json.data['created_at'])
  }
  assert.ok(
    times.some((time) => !time.endsWith('000Z')),
    times.join(),
  )
})

test('without a tx_ref the rule is named', async () => {
  for (const asked of [
    'GET /api/transaction',
    'GET /api/transaction/',
    'POST /api/transaction//cancel',
    'GET /api/transaction//notifications',
    'POST /api/transaction//notifications/evt_1/resend',
  ]) {
    const [method = '', path = ''] = asked.split(' ')
    const answer = await call(house.url + path, { method, key: house.secretKey })
    assert.equal(answer.status, 400, asked)
    const rule = 'tx_ref is required'
    assert.deepEqual(answer.json, {
      status: 'failed',
      message: rule,
      data: null,
      code: 'validation_failed',
      errors: { tx_ref: [rule] },
    })
  }
})

test('an unknown payment, another merchant’s or the other mode’s is not found', async () => {
  const request = paymentRequest()
  const txRef = String(request['tx_ref'])
  await post(`${house.url}/api/payment`, request, house.secretKey)
  const other = await createMerchant(house.db, { name: 'Another shop' })
  const { key: otherKey } = await createKey(house.db, other, { kind: 'secret', mode: 'test', name: 'other' })
  const notFound = { status: 'failed', message: 'Transaction not found', data: null, code: 'not_found' }
  const rows: [string, string][] = [
    ['never-made', house.secretKey],
    [txRef, house.liveKey],
    [txRef, otherKey],
  ]
  for (const [reference, key] of rows) {
    const answer = await lookUp(reference, key)
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.json, notFound)
  }
})

test('any valid tx_ref finds its own payment', async () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    // Clients shorten an address that ends in a segment of one or two dots.
    .filter(
      (value) =>
        value !== '.' && value !== '..' && value.trim() === value && value !== '' && !/\p{Cc}/u.test(value),
    )
  await fc.assert(
    fc.asyncProperty(text, async (txRef) => {
      const created = await post(
        `${house.url}/api/payment`,
        paymentRequest({ tx_ref: txRef }),
        house.secretKey,
      )
      assert.ok([201, 409].includes(created.status), created.text)
      const found = await lookUp(txRef)
      assert.equal(found.json.data['tx_ref'], txRef)
    }),
    { numRuns: 60 },
  )
})

test('an amount comes back exactly, in every currency', async () => {
  for (const currency of currencyCodes) await enableCurrency(house.db, house.merchantId, currency)
  const known = { key: '' }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...currencyCodes),
      fc.bigInt({ min: 1n, max: 99_999_999_999n }),
      async (currency, minor) => {
        const request = paymentRequest({ currency, amount: plainAmount(minor, currency) })
        const created = await post(`${house.url}/api/payment`, request, house.secretKey)
        if (created.status === 400) return assert.match(created.json.message, /at most 999,999,999\.99/)
        const found = await lookUp(String(request['tx_ref']))
        known.key = found.json.data['amount']
        assert.equal(known.key, formatAmount(minor, currency))
      },
    ),
    { numRuns: 200 },
  )
})

test('guessing is rate limited: one key’s misses are limited, finds are not', async () => {
  const guessed = await openHouse({
    databaseUrl: house.databaseUrl,
    settings: { MISS_LIMIT_PER_SECOND: '3' },
    world: { now: () => new Date('2026-11-15T12:00:00Z') },
  })
  try {
    const request = paymentRequest()
    await post(`${guessed.url}/api/payment`, request, guessed.secretKey)
    const at = (txRef: string): ReturnType<typeof call> =>
      call(`${guessed.url}/api/transaction/${txRef}`, { key: guessed.secretKey })
    for (let count = 0; count < 20; count += 1)
      assert.equal((await at(String(request['tx_ref']))).status, 200)
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) statuses.push((await at(`guess-${count}`)).status)
    assert.ok(statuses.includes(429), statuses.join())
    assert.equal(statuses[0], 404)
    assert.equal((await at(String(request['tx_ref']))).status, 200, 'what exists is answered all the same')
  } finally {
    await guessed.close()
  }
})

test('guessing locks out nobody else behind the same address, and simultaneous guesses are counted', async () => {
  const guessed = await openHouse({
    databaseUrl: house.databaseUrl,
    settings: { MISS_LIMIT_PER_SECOND: '3' },
    world: { now: () => new Date('2026-11-15T12:00:00Z') },
  })
  try {
    const request = paymentRequest()
    await post(`${guessed.url}/api/payment`, request, guessed.secretKey)
    const { key: guesser } = await createKey(house.db, guessed.merchantId, {
      kind: 'secret',
      mode: 'test',
      name: 'guesser',
    })
    const ask = async (txRef: string, key: string): Promise<number> =>
      (await call(`${guessed.url}/api/transaction/${txRef}`, { key })).status
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`guess-${at}`, guesser)))
    assert.equal(guesses.filter((status) => status === 404).length, 3)
    assert.equal(guesses.filter((status) => status === 429).length, 17)
    for (let count = 0; count < 5; count += 1)
      assert.equal(await ask(String(request['tx_ref']), guessed.secretKey), 200)
    assert.equal(await ask('not-yet-there', guessed.secretKey), 404, 'an honest miss is told as one')
    assert.equal(await ask(String(request['tx_ref']), guesser), 200)
  } finally {
    await guessed.close()
  }
})

test('every call with a tx_ref counts its misses', async () => {
  const known = String(paymentRequest()['tx_ref'])
  await post(`${house.url}/api/payment`, paymentRequest({ tx_ref: known }), house.secretKey)
  const rows: [string, string][] = [
    ['GET', 'guess'],
    ['POST', 'guess/cancel'],
    ['GET', 'guess/notifications'],
    ['POST', 'guess/notifications/evt_1/resend'],
    ['POST', `${known}/notifications/evt_1/resend`],
  ]
  for (const [method, path] of rows) {
    const guessed = await openHouse({
      databaseUrl: house.databaseUrl,
      settings: { MISS_LIMIT_PER_SECOND: '1' },
      world: { now: () => new Date('2026-11-15T12:00:00Z') },
    })
    try {
      const ask = { method, key: house.secretKey }
      const url = `${guessed.url}/api/transaction/${path}`
      const statuses = [(await call(url, ask)).status, (await call(url, ask)).status]
      assert.deepEqual(statuses, [404, 429], `${method} ${path}`)
    } finally {
      await guessed.close()
    }
  }
})
