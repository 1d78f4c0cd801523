import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTill, type Till } from '../../../test/support/till.ts'
import { newPayment } from '../../../test/support/twins.ts'
import { sql } from '../../platform/database/sql.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { insertPayments } from './create-store.ts'
import { listPayments, type ListFilter, type PaymentRow } from './store.ts'

// Lists beside an oracle in plain code: payments that differ from the first in one thing each, of two merchants with the same numbers.

type Listed = Pick<
  PaymentRow,
  'merchant_id' | 'number' | 'mode' | 'tx_ref' | 'state' | 'currency' | 'email'
> & {
  readonly project_id: string | null
  readonly created_at: string
}

const projects = {
  book: 'prj_000000000000book',
  film: 'prj_000000000000film',
}

let till: Till
let all: readonly Listed[]
let own: number

before(async () => {
  till = await openTill()
  own = till.merchantId
  const other = await createMerchant(till.db, { name: 'Neighbour' })
  all = [own, other].flatMap(paymentsOf)
  for (const merchantId of [own, other]) {
    for (const [name, id] of Object.entries(projects)) {
      await till.db.query(sql`
        insert into projects (merchant_id, id, name, name_folded) values (${merchantId}, ${id}, ${name}, ${name})`)
    }
    const ofIt = all.filter((one) => one.merchant_id === merchantId)
    await insertPayments(till.db, merchantId, ofIt.map(newPayment))
    for (const { number, state, created_at } of ofIt) {
      await till.db.query(sql`
        update payments set state = ${state}, created_at = ${created_at}
        where merchant_id = ${merchantId} and number = ${number}`)
    }
  }
})
after(() => till.close())

function moment(second: number): string {
  return new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString()
}

/** The first, and those that differ from it in one thing. Two or three of each second, so that their numbers decide. */
function paymentsOf(merchant_id: number): Listed[] {
  const usual = {
    merchant_id,
    mode: 'test',
    state: 'pending',
    currency: 'GBP',
    email: 'ada@example.com',
    project_id: projects.book,
  } as const
  const others: readonly Partial<Listed>[] = [
    {},
    { mode: 'live' },
    { state: 'expired' },
    { currency: 'EUR' },
    { email: 'bob@example.com' },
    { email: 'ADA@example.com' },
    { project_id: projects.film },
    { project_id: null },
    {},
  ]
  return others.map((changes, index) => {
    const number = String((index * 5) % others.length).repeat(24)
    return {
      ...usual,
      number,
      tx_ref: `order-${index}`,
      created_at: moment(10 + Math.floor(index / 2.5)),
      ...changes,
    }
  })
}

function expected(filter: ListFilter): string[] {
  const { txRef, state, currency, email, createdFrom, createdTo, projectId, after: last } = filter
  const place = ({ created_at, number }: Listed): string => `${created_at} ${number}`
  return all
    .filter((one) => one.merchant_id === filter.merchantId && one.mode === filter.mode)
    .filter((one) => txRef === undefined || one.tx_ref === txRef)
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => currency === undefined || one.currency === currency)
    .filter((one) => email === undefined || one.email.toLowerCase() === email.toLowerCase())
    .filter((one) => createdFrom === undefined || one.created_at >= createdFrom)
    .filter((one) => createdTo === undefined || one.created_at < createdTo)
    .filter((one) => projectId === undefined || one.project_id === projectId)
    .filter((one) => last === undefined || place(one) < `${last.createdAt} ${last.number}`)
    .toSorted((one, another) => (place(one) < place(another) ? 1 : -1))
    .slice(0, filter.limit)
    .map(place)
}

test('a list has one merchant’s payments of one mode that match all filters, newest first', async () => {
  const questions: readonly Partial<ListFilter>[] = [
    {},
    { mode: 'live' },
    { txRef: 'order-3' },
    { state: 'expired' },
    { currency: 'EUR' },
    { email: 'Ada@Example.com' },
    { createdFrom: moment(11) },
    { createdTo: moment(11) },
    { projectId: projects.film },
    { limit: 3 },
    { state: 'pending', currency: 'GBP', email: 'ada@example.com', createdTo: moment(12) },
    ...all
      .filter(({ merchant_id }) => merchant_id === own)
      .map(({ created_at, number }) => ({ after: { createdAt: created_at, number } })),
  ]
  for (const question of questions) {
    const filter: ListFilter = { merchantId: own, mode: 'test', limit: 20, ...question }
    const found = await listPayments(till.db, filter)
    assert.deepEqual(
      found.map(({ created_at, number }) => `${new Date(created_at).toISOString()} ${number}`),
      expected(filter),
      JSON.stringify(question),
    )
  }
})
