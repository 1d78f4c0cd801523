import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumbers,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import { indexPayments } from '../search/index-payments.ts'
import type { Search } from './read-search.ts'
import { countFound, countListed, estimateListed, searchPayments, type SearchFilter } from './search-store.ts'

// Two merchants with the same payments; those of the other one are a minute newer. Of what is asked for, the newest is
// always of live mode, and the newest of all is something that nobody asks for.

const asked = {
  mode: 'test',
  state: 'success',
  tx_ref: 'asked-1',
  reference: 'ABCDEFGHJKLM',
  email: 'Ada@Example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  currency: 'GBP',
  project_id: 'prj_none',
  last4: '4242',
  second: 5,
}
const unlike = {
  ...asked,
  reference: 'NOPQRSTUVWXY',
  email: 'grace@example.com',
  first_name: 'Grace',
  last_name: 'Hopper',
  last4: '1881',
}
const [newest, ofLive, unasked, olderTwin, newerTwin, unaskedLive] = paymentNumbers(1, 2, 3, 4, 5, 6)
const shelf = [
  { ...asked, number: newest },
  { ...asked, number: olderTwin, second: 4, tx_ref: 'asked-4', state: 'pending', email: 'ada@example.com' },
  { ...asked, number: newerTwin, second: 4, tx_ref: 'asked-5', currency: 'EUR', project_id: 'prj_one' },
  { ...asked, number: ofLive, second: 8, mode: 'live' },
  { ...unlike, number: unasked, second: 9, tx_ref: 'shop-1' },
  { ...unlike, number: unaskedLive, second: 9, tx_ref: 'shop-1', mode: 'live' },
]

type Known = Omit<(typeof shelf)[number], 'second'> & { merchant_id: number; created_at: string }

function knownOf(merchant_id: number): Known[] {
  const minute = merchant_id === merchants.other ? 1 : 0
  return shelf.map(({ second, ...row }) => {
    const created_at = new Date(Date.UTC(2026, 10, 16, 12, minute, second)).toISOString()
    return { ...row, merchant_id, created_at }
  })
}

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const all = [...knownOf(own), ...knownOf(other)]
  await insertRows(
    db,
    'payments',
    all.map(({ last4: _last4, ...row }) => paymentRow(row)),
  )
  // Each was tried with the card that is asked for, and paid with its own.
  const tried = all.flatMap(({ merchant_id, number, last4 }) => [
    { merchant_id, number, attempt: 1, state: 'declined', card_last4: asked.last4 },
    { merchant_id, number, attempt: 2, state: 'succeeded', card_last4: last4 },
  ])
  await insertRows(db, 'attempts', tried.map(attemptRow))
})
after(() => merchants.close())

const nothing: Search = {
  number: undefined,
  last4: undefined,
  txRefs: [],
  email: undefined,
  needles: [],
}

function isMeant(row: Known, search: Search): boolean {
  const { number, email } = search
  const text = [row.tx_ref, row.reference, row.email, row.first_name, row.last_name].join(' ').toLowerCase()
  return (
    (number?.number === row.number && (number.merchantId ?? row.merchant_id) === row.merchant_id) ||
    search.txRefs.includes(row.tx_ref) ||
    search.last4 === row.last4 ||
    email?.toLowerCase() === row.email.toLowerCase() ||
    search.needles.some(
      ({ parts, terms }) => parts.every((part) => text.includes(part)) && terms.length === 0,
    )
  )
}

const parts = (...words: readonly string[]): Partial<Search> => ({ needles: [{ parts: words, terms: [] }] })

type Question = Omit<SearchFilter, 'merchantId' | 'mode' | 'search'>

/** What is wanted, in plain code: the newest first. */
function wanted(merchantId: number, search: Search, question: Question): Known[] {
  const { state, currency, projectId, after: behind, limit } = question
  const place = (row: { created_at: string; number: string }): string => `${row.created_at} ${row.number}`
  return knownOf(merchantId)
    .filter((row) => row.mode === 'test' && isMeant(row, search))
    .filter((row) => state === undefined || row.state === state)
    .filter((row) => currency === undefined || row.currency === currency)
    .filter((row) => projectId === undefined || row.project_id === projectId)
    .toSorted((one, two) => (place(one) < place(two) ? 1 : -1))
    .filter((row) => !behind || place(row) < `${behind.createdAt} ${behind.number}`)
    .slice(0, limit)
}

const searches: Readonly<Record<string, Partial<Search>>> = {
  'the number': { number: { number: newest, merchantId: undefined } },
  'the number of something of live mode': { number: { number: ofLive, merchantId: undefined } },
  'a number that is newer, of live mode': {
    number: { number: ofLive, merchantId: undefined },
    txRefs: ['asked-4'],
  },
  'a link to another merchant': { number: { number: newest, merchantId: 12_345_678 } },
  'references of the merchant': { txRefs: ['asked-1', 'asked-5', 'ASKED-4'] },
  'a part of references': parts('sked-'),
  'what stands for anything': parts('asked_'),
  'a reference of ours': parts('abcdefghjklm'),
  'a card': { last4: '4242' },
  'an address': { email: 'aDa@example.com' },
  'a part of addresses': parts('da@exa'),
  'a surname': parts('velac'),
  'both names': parts('love', 'ada'),
  'the names of nobody': parts('love', 'gra'),
  'two readings': {
    needles: [
      { parts: ['velac'], terms: [] },
      { parts: ['nothing'], terms: ['x'] },
    ],
  },
  'several things': { txRefs: ['shop-1'], email: 'ada@example.com', last4: '4242' },
}

test(
  'whatever is looked for is found of one merchant and mode, the newest first and page by page',
  checkEverySearch,
)

test('search entries change nothing about what is found', async () => {
  for (const [own] of merchants.both) assert.equal(await indexPayments(merchants.db, own), shelf.length)
  await checkEverySearch()
})

async function checkEverySearch(): Promise<void> {
  const { db } = merchants
  for (const [own] of merchants.both) {
    const [first] = wanted(own, { ...nothing, txRefs: ['asked-1'] }, { limit: 1 })
    const [last] = wanted(own, { ...nothing, txRefs: ['asked-5'] }, { limit: 1 })
    assert.ok(first && last)
    const questions: readonly Question[] = [
      { limit: 100 },
      { limit: 1 },
      { limit: 2 },
      { limit: 1, after: { createdAt: first.created_at, number: first.number } },
      { limit: 1, after: { createdAt: last.created_at, number: last.number } },
      { limit: 1, state: 'success' },
      { limit: 100, currency: 'EUR' },
      { limit: 100, projectId: 'prj_one' },
    ]
    for (const [name, some] of Object.entries(searches))
      for (const question of questions) {
        const search = { ...nothing, ...some }
        const filter = { merchantId: own, mode: 'test', search, ...question } as const
        const numbers = wanted(own, search, question).map(({ number }) => number)
        const told = `${name}, ${JSON.stringify(question)}`
        const found = await searchPayments(db, filter)
        assert.deepEqual(
          found.map((row) => [row.merchant_id, row.number]),
          numbers.map((number) => [own, number]),
          told,
        )
        assert.equal(await countFound(db, filter), numbers.length, told)
      }
  }
}

test('a list is counted up to a limit and estimated, for one merchant and mode', async () => {
  const { db } = merchants
  await db.query(sql`analyze payments`)
  for (const [own] of merchants.both) {
    const scope = { merchantId: own, mode: 'test' } as const
    assert.equal(await countListed(db, { ...scope, limit: 100 }), 4)
    assert.equal(await countListed(db, { ...scope, limit: 100, state: 'success' }), 3)
    assert.equal(await countListed(db, { ...scope, limit: 2 }), 2)
    assert.equal(await countListed(db, { ...scope, mode: 'live', limit: 100 }), 2)
    // A cluster reckons for each node, and not for a merchant.
    if (await db.nodes.askWhetherPlain()) {
      assert.equal(await estimateListed(db, scope), 4)
      assert.equal(await estimateListed(db, { ...scope, mode: 'live' }), 2)
    }
  }
})
