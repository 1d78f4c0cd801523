import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import { plainBrand } from '../../core/merchants/brand/brand.ts'
import type { LinkPlace } from './linking.ts'
import { readLink, readLinkChange } from './read-link.ts'

const noon = new Date('2026-06-15T12:00:00Z')

function placeIn(timeZone: string, change: Partial<LinkPlace> = {}): LinkPlace {
  const currencies = new Map([
    ['GBP', 0n],
    ['KWD', 0n],
  ])
  const currenciesOff = new Map()
  const merchant = {
    id: 1,
    liveEnabled: false,
    brand: { ...plainBrand, timeZone },
    currencies,
    currenciesOff,
  }
  return { merchant: merchant as unknown as Merchant, mode: 'test', ...change }
}

const fields = { kind: 'reusable', title: 'Ticket', currency: 'GBP', amount: '12,50' }
const read = (change: Record<string, string> = {}, place = placeIn('UTC'), now = noon) =>
  readLink(new Map(Object.entries({ ...fields, ...change })), place, now)

/** The fields that are wrong. */
function wrong(change: Record<string, string>, place = placeIn('UTC'), now = noon): string[] {
  try {
    read(change, place, now)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return Object.keys(error.errors ?? {})
  }
}

for (const [zone, end] of [
  ['UTC', '2026-07-02T00:00:00.000Z'],
  ['Europe/London', '2026-07-01T23:00:00.000Z'],
  ['America/Los_Angeles', '2026-07-02T07:00:00.000Z'],
  ['Asia/Kathmandu', '2026-07-01T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-07-01T10:00:00.000Z'],
] as const) {
  test(`a last day of 1 July ends with that day in ${zone}`, () => {
    const place = placeIn(zone)
    assert.equal(read({ ends_on: '2026-07-01' }, place).ends_at?.toISOString(), end)
    const form = new Map(Object.entries({ title: 'Ticket', ends_on: '2026-07-01' }))
    assert.equal(readLinkChange(form, place, noon, false).ends_at?.toISOString(), end)
  })
}

for (const [zone, now, today, yesterday] of [
  ['Pacific/Kiritimati', '2026-06-15T12:00:00Z', '2026-06-16', '2026-06-15'],
  ['America/Los_Angeles', '2026-06-15T03:00:00Z', '2026-06-14', '2026-06-13'],
] as const) {
  test(`in ${zone} today is ${today}, and yesterday is over`, () => {
    const place = placeIn(zone)
    assert.deepEqual(wrong({ ends_on: today }, place, new Date(now)), [])
    assert.deepEqual(wrong({ ends_on: yesterday }, place, new Date(now)), ['ends_on'])
  })
}

for (const day of ['2026-02-30', '15.06.2027', '2027-6-1', 'tomorrow'])
  test(`${day} is no valid day`, () => assert.deepEqual(wrong({ ends_on: day }), ['ends_on']))

for (const [stock, read_] of [
  ['', null],
  ['1', 1],
  ['100000', 100_000],
] as const)
  test(`a stock of "${stock}" is ${read_ ?? 'no limit'}`, () => assert.equal(read({ stock }).stock, read_))

for (const stock of ['0', '100001', '-1', '1.5', '1e3', 'ten'])
  test(`a stock of ${stock} is refused`, () => assert.deepEqual(wrong({ stock }), ['stock']))

for (const [change, amounts] of [
  [{}, [1_250n, null, null]],
  [{ least: '1', most: '5' }, [1_250n, null, null]],
  [{ amount: '' }, [null, null, null]],
  [{ amount: '', least: '5,00' }, [null, 500n, null]],
  [{ amount: '', least: '5', most: '5' }, [null, 500n, 500n]],
  [{ amount: '1.250', currency: 'KWD' }, [1_250n, null, null]],
] as const)
  test(`${JSON.stringify(change)} takes ${amounts.join(', ')}`, () => {
    const { amount_minor, least_minor, most_minor } = read(change)
    assert.deepEqual([amount_minor, least_minor, most_minor], amounts)
  })

for (const [change, named] of [
  [{ amount: '', least: '5.01', most: '5' }, ['most']],
  [{ amount: '1,000' }, ['amount']],
  [{ kind: 'single', amount: '' }, ['amount']],
  [{ kind: 'single', email: 'ada@example.com' }, ['first_name']],
  [{ kind: 'single', first_name: 'Ada' }, ['email']],
  [{ kind: 'single', last_name: 'Lovelace' }, ['email', 'first_name']],
  [{ title: '' }, ['title']],
  [{ title: 'x'.repeat(101) }, ['title']],
  [{ title: '4242 4242 4242 4242' }, ['title']],
  [{ description: 'x'.repeat(256) }, ['description']],
  [{ currency: 'XXX' }, ['currency']],
  [{ title: '', stock: '0', ends_on: 'x' }, ['title', 'stock', 'ends_on']],
] as const)
  test(`${JSON.stringify(change).slice(0, 60)} is refused at ${named.join(', ')}`, () =>
    assert.deepEqual(wrong(change), named))

test('a link for one customer sells once, and asks for missing details', () => {
  const asks = read({ kind: 'single', stock: '7' })
  assert.deepEqual([asks.stock, asks.asks_customer, asks.customer], [1, true, undefined])
  const known = read({ kind: 'single', email: 'ada@example.com', first_name: 'Ada' })
  assert.deepEqual(
    [known.asks_customer, known.customer],
    [false, { email: 'ada@example.com', firstName: 'Ada', lastName: '' }],
  )
})

test('a live link takes only enabled currencies', () => {
  const live = placeIn('UTC', { mode: 'live' })
  assert.deepEqual(wrong({ currency: 'EUR' }, live), ['currency', 'form'])
})

test('a live link needs a live shop', () => {
  assert.deepEqual(wrong({}, placeIn('UTC', { mode: 'live' })), ['form'])
})
