import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BankEntry } from './bank-entry.ts'
import { matchEntries, type ExpectedPayout } from './match.ts'

function entry(key: string, amountMinor: bigint, texts: string[] = [], bookedOn = '2026-11-17'): BankEntry {
  return { account: 'GB1', key, bookedOn, amountMinor, currency: 'GBP', texts }
}

function payout(id: string, amountMinor: bigint, more: Partial<ExpectedPayout> = {}): ExpectedPayout {
  const day = '2026-11-17'
  return {
    id,
    connector: 'stripe',
    amountMinor,
    currency: 'GBP',
    day,
    references: [`REF-${id}-2026`],
    ...more,
  }
}

/** `key=payout/by` for matches, `key?why` for what is left. */
function told(entries: BankEntry[], payouts: ExpectedPayout[], seen: string[] = []): string[] {
  const { matches, leftovers } = matchEntries(entries, payouts, new Set(seen))
  return [
    ...matches.map((match) => `${match.entry.key}=${match.payoutId}/${match.by}`),
    ...leftovers.map((left) => `${left.entry.key}?${left.why}`),
  ]
}

const cases: readonly (readonly [name: string, BankEntry[], ExpectedPayout[], string[], seen?: string[]])[] =
  [
    [
      'a reference is found however the bank splits and spells it',
      [entry('a', 500n, ['Stripe ref', '-p', '1-20', '26 thanks'])],
      [payout('p1', 500n)],
      ['a=p1/reference'],
    ],
    [
      'a reference beats a nearer payout of the same amount',
      [entry('a', 500n, ['REF-p2-2026'])],
      [payout('p1', 500n), payout('p2', 500n, { day: '2026-11-01' })],
      ['a=p2/reference'],
    ],
    [
      'an entry between two payouts of its day is not given to a third of another day',
      [entry('a', 500n, ['Stripe'])],
      [payout('p1', 500n), payout('p2', 500n), payout('p3', 500n, { day: '2026-11-16' })],
      ['a?ambiguous'],
    ],
    [
      'an entry that names a payout of another amount is left for a person',
      [entry('a', 450n, ['REF-p1-2026'])],
      [payout('p1', 500n)],
      ['a?amount_differs'],
    ],
    [
      'two networks with one amount on one day are told apart by the names in the entries',
      [entry('a', 500n, ['PAYSTACK LTD']), entry('b', 500n, ['Stripe Payments'])],
      [payout('p1', 500n), payout('p2', 500n, { connector: 'paystack' })],
      ['a=p2/amount', 'b=p1/amount'],
    ],
    [
      'the name of one network leaves the other to the entry without a name',
      [entry('a', 500n, ['a transfer']), entry('b', 500n, ['Stripe Payments'])],
      [payout('p1', 500n), payout('p2', 500n, { connector: 'paystack' })],
      ['b=p1/amount', 'a=p2/amount'],
    ],
    [
      'entries as near before as after a payout are not both for it',
      [entry('a', 500n, ['Stripe'], '2026-11-16'), entry('b', 500n, ['Stripe'], '2026-11-18')],
      [payout('p1', 500n)],
      ['a?ambiguous', 'b?ambiguous'],
    ],
    [
      'a payout that was seen is not seen twice',
      [entry('a', 500n, ['REF-p1-2026']), entry('b', 500n, ['REF-p1-2026'])],
      [payout('p1', 500n)],
      ['a=p1/reference', 'b?seen_before'],
    ],
    [
      'a payout of an earlier file is not seen again',
      [entry('a', 500n, ['REF-p1-2026'])],
      [payout('p1', 500n)],
      ['a?seen_before'],
      ['p1'],
    ],
    [
      'money that the bank sent back is a return, whether the payout was seen or not',
      [entry('a', 500n, ['REF-p1-2026']), entry('b', -500n, ['RETURN REF-p1-2026'])],
      [payout('p1', 500n)],
      ['a=p1/reference', 'b=p1/return'],
    ],
    [
      'what a network takes from the bank is a payout below zero',
      [entry('a', -500n, ['REF-p1-2026'])],
      [payout('p1', -500n)],
      ['a=p1/reference'],
    ],
    [
      'the same amount in another currency is not the same',
      [entry('a', 500n, ['STRIPE'])],
      [payout('p1', 500n, { currency: 'EUR' })],
      ['a?unknown'],
    ],
    [
      'without a reference the amount and the date decide',
      [entry('a', 500n, ['STRIPE PAYMENTS UK'], '2026-11-19'), entry('b', 600n)],
      [payout('p1', 500n), payout('p2', 600n)],
      ['b=p2/amount', 'a=p1/amount'],
    ],
    [
      'an amount ten days off is not the payout',
      [entry('a', 500n, ['STRIPE'], '2026-11-27')],
      [payout('p1', 500n)],
      ['a?unknown'],
    ],
    [
      'the nearer of two payouts of one amount is taken',
      [entry('a', 500n), entry('b', 500n, [], '2026-11-18')],
      [payout('p1', 500n, { day: '2026-11-18' }), payout('p2', 500n)],
      ['a=p2/amount', 'b=p1/amount'],
    ],
    [
      'two payouts of one amount and day and two entries belong together',
      [entry('a', 500n), entry('b', 500n)],
      [payout('p1', 500n), payout('p2', 500n)],
      ['a=p1/amount', 'b=p2/amount'],
    ],
    [
      'one entry that may be either of two payouts is left for a person',
      [entry('a', 500n)],
      [payout('p1', 500n), payout('p2', 500n)],
      ['a?ambiguous'],
    ],
    [
      'an entry that names one network is not the payout of another',
      [entry('a', 500n, ['GOCARDLESS LTD'])],
      [payout('p1', 500n), payout('p2', 900n, { connector: 'gocardless' })],
      ['a?unknown'],
    ],
    [
      'an entry that names the network comes before one that names none',
      [entry('a', 500n, ['Mrs Jones']), entry('b', 500n, ['Stripe'])],
      [payout('p1', 500n)],
      ['b=p1/amount'],
    ],
    [
      'entries that have nothing to do with payouts are not listed',
      [entry('a', 1234n, ['Rent']), entry('b', -99n, ['Coffee'])],
      [payout('p1', 500n)],
      [],
    ],
    [
      'a reference too short to mean anything is not looked for',
      [entry('a', 999n, ['account 12345'])],
      [payout('p1', 500n, { references: ['12345'] })],
      [],
    ],
  ]

for (const [name, entries, payouts, expected, seen] of cases)
  test(name, () => assert.deepEqual(told(entries, payouts, seen), expected))

test('a long statement is matched with a thousand payouts', () => {
  const payouts = Array.from({ length: 1000 }, (_, at) => payout(`p${at}`, BigInt(at + 1)))
  const entries = Array.from({ length: 20_000 }, (_, at) =>
    entry(String(at), BigInt(at + 1), at < 1000 ? [`REF-p${at}-2026`] : [`someone else ${at}`]),
  )
  const { matches } = matchEntries(entries, payouts, new Set())
  assert.equal(matches.length, 1000)
})
