import { sql } from '../../../src/platform/database/sql.ts'
import { bySystem } from '../../../src/core/audit/audit.ts'
import { createKey } from '../../../src/core/merchants/change-keys.ts'
import { enableCurrency } from '../../../src/core/merchants/create-merchant.ts'
import { createProject } from '../../../src/core/projects/create-project.ts'
import { call, post, type House } from '../house.ts'
import { createPayment } from '../pay.ts'
import { paidPayment, refund } from '../refunds.ts'
import { charged, saveCard } from '../saved-methods.ts'
import { somePayout } from '../shop-day.ts'
import { cardOf, cards } from '../till.ts'
import { newPerson, Visitor, type PersonAt } from '../visitor.ts'

// A shop that has been open for a while, with something in every state: for pictures of its dashboard, and for what has to
// hold on every page of it.

export type Shop = {
  readonly owner: PersonAt
  readonly visitor: Visitor
  readonly home: string
  /** What stands for a `:name` in the path of a route. */
  readonly things: Readonly<Record<string, string>>
}

const customers: readonly (readonly [string, string, string])[] = [
  ['Ada', 'Lovelace', 'ada@analytical.example'],
  ['Grace', 'Hopper', 'grace.hopper@navy.example'],
  [
    'José María',
    'de la Concepción y Fernández-Villaverde',
    'jose.maria.de.la.concepcion@correo-electronico.example',
  ],
  ['山田', '花子', 'hanako@example.jp'],
  ['Mohammed', 'Al-Khwārizmī', 'm.alkhwarizmi@bayt-al-hikma.example'],
  ['Li', 'Wu', 'li@wu.example'],
]

export async function seedShop(house: House): Promise<Shop> {
  await enableCurrency(house.db, house.merchantId, 'EUR')
  const owner = await newPerson(house, { role: 'owner', isOperator: true })
  for (const role of ['developer', 'support', 'bookkeeper', 'viewer'] as const)
    await newPerson(house, { role })
  const visitor = new Visitor(house)
  await visitor.signIn(owner)
  const home = `/dashboard/${house.merchantId}/test`
  const project = await createProject(house.db, house.merchantId, { project: 'Summer fair 2026' })
  await createProject(house.db, house.merchantId, {
    project: 'Workshops for beginners and those who come back',
  })
  const paid = await seedPayments(house, project.id)
  const key = await seedKeys(house)
  const link = await seedLinks(visitor, home)
  const endpoint = await seedEndpoints(house)
  await seedPeople(visitor, home, paid.number)
  await seedTrouble(house)
  await seedDays(house)
  const request = await seedRequests(house)
  const person = await newPerson(house, { role: 'viewer' })
  return {
    owner,
    visitor,
    home,
    things: {
      merchant: String(house.merchantId),
      mode: 'test',
      tx_ref: paid.txRef,
      number: paid.number,
      key,
      link,
      endpoint,
      request,
      project: project.id,
      person: person.id,
      currency: 'EUR',
      origin: 'https://shop.invalid',
      payout: await somePayout(house),
      method: await seedMethod(house),
      ...(await newestOf(house)),
    },
  }
}

async function seedMethod(house: House): Promise<string> {
  const [first_name, last_name, email] = customers[0] ?? ['', '', '']
  const order = { first_name, last_name, email, tx_ref: 'membership-1', amount: '9.90' }
  const { id } = await saveCard(house, undefined, { ...order, customer_ref: 'member-1042', save_limit: '50' })
  await charged(house, id, { tx_ref: 'membership-2', description: 'December' })
  return id
}

/** Of what cannot be made by hand: the ids of the newest. */
async function newestOf({ db, merchantId }: House): Promise<Record<string, string>> {
  const [found] = await db.query<Record<string, string>>(sql`
    select
      (select id from refunds where merchant_id = ${merchantId} order by created_at desc, id limit 1) as refund,
      (select id from disputes where merchant_id = ${merchantId} order by opened_at desc, id limit 1) as dispute,
      (select id from deliveries where merchant_id = ${merchantId} and kind = 'ipn' order by created_at desc, id limit 1)
        as delivery,
      (select id from deliveries where merchant_id = ${merchantId} and kind = 'mail' and event like '%refund%'
       order by created_at desc, id limit 1) as mail`)
  return found ?? {}
}

/** One with a long story. */
async function seedPayments(
  house: House,
  project: string,
): Promise<{ readonly txRef: string; readonly number: string }> {
  const fieldsOf = (turn: number): Record<string, unknown> => {
    const [first, last, email] = customers[turn % customers.length] ?? ['', '', '']
    return {
      tx_ref: `order-2026-${1001 + turn}`,
      amount: `${(turn * 37) % 400}.${String((turn * 13) % 100).padStart(2, '0')}`.replace(/^0\.00$/, '1.00'),
      currency: turn % 9 === 8 ? 'EUR' : 'GBP',
      email,
      first_name: first,
      last_name: last,
      callback_url: 'https://shop.invalid/ipn',
      ...(turn % 5 === 0 && { project }),
    }
  }
  for (let turn = 1; turn <= 16; turn += 1)
    await paidPayment(house, turn % 6 === 5 ? 'refundLater' : 'good', fieldsOf(turn))
  const story = await paidPayment(house, 'good', {
    ...fieldsOf(17),
    amount: '1234.50',
    meta: { cart: 7, note: 'Leave it with the neighbour', lines: [{ sku: 'W-1', count: 2 }] },
    customization: {
      title: 'Two walnut chairs',
      description: 'Delivered on Thursday, the old ones taken away.',
    },
  })
  await refund(house, story, { amount: '34.50', reason: 'One leg was scratched' })
  await refund(house, await paidPayment(house, 'good', fieldsOf(18)))
  const declined = await createPayment(house, fieldsOf(19))
  for (let tries = 0; tries < 10; tries += 1)
    await house.app.payer.pay({ ...declined, mode: 'test' }, cards.declined)
  const unsure = await createPayment(house, fieldsOf(20))
  await house.app.payer.pay({ ...unsure, mode: 'test' }, cards.timeOutPaid)
  const cancelled = await createPayment(house, fieldsOf(21))
  await post(`${house.url}/api/transaction/${cancelled.txRef}/cancel`, {}, house.secretKey)
  await disputed(house, fieldsOf(22))
  for (let turn = 23; turn < 27; turn += 1) await createPayment(house, fieldsOf(turn))
  // Spread over days, as they would be.
  for (let turn = 0; turn < 27; turn += 1)
    await house.db.query(sql`
      update payments set created_at = now() - ${5 * (26 - turn)}::integer * interval '1 hour'
      where merchant_id = ${house.merchantId} and tx_ref = ${`order-2026-${1001 + turn}`}`)
  return story
}

async function disputed(house: House, fields: Record<string, unknown>): Promise<void> {
  const payment = await createPayment(house, fields)
  await house.app.payer.pay({ ...payment, mode: 'test' }, cardOf('4000 0000 0000 4400'))
  await house.db.query(sql`
    update test_network.charges set next_tell_at = now() - interval '1 second', told_from = now() - interval '6 seconds',
      received_at = now() - interval '6 seconds' where payment_number = ${payment.number}`)
  await house.app.jobs.find(({ name }) => name === 'disputes')?.run()
}

async function seedKeys(house: House): Promise<string> {
  const { db, merchantId } = house
  const till = await createKey(
    db,
    merchantId,
    { kind: 'secret', mode: 'test', name: 'Till at the counter' },
    bySystem,
  )
  await createKey(db, merchantId, {
    kind: 'form',
    mode: 'test',
    name: 'Donation page',
    bounds: {
      hosts: ['shop.example'],
      txRefPrefix: 'donation-',
      currencies: ['GBP'],
      minMinor: 100n,
      showsTitle: true,
    },
  })
  return till.id
}

async function seedLinks(visitor: Visitor, home: string): Promise<string> {
  const made = await visitor.fill(`${home}/links/new`, {
    kind: 'reusable',
    title: 'A place at the pottery workshop',
    description: 'Saturday, from ten to four. Clay and lunch are in the price.',
    amount: '85.00',
    currency: 'GBP',
    stock: '12',
  })
  await visitor.fill(`${home}/links/new`, {
    kind: 'reusable',
    title: 'A gift for the museum',
    currency: 'GBP',
  })
  return made.to.slice(`${home}/links/`.length)
}

async function seedEndpoints(house: House): Promise<string> {
  const fields = { url: 'https://warehouse.example/hooks/florin', description: 'Warehouse' }
  const made = await post(`${house.url}/api/endpoints`, fields, house.secretKey)
  await post(
    `${house.url}/api/endpoints`,
    {
      url: 'https://hooks.example/services/T00/B00?channel=payments',
      events: ['payment.success', 'refund.failed'],
    },
    house.secretKey,
  )
  return (made.json.data as { id: string }).id
}

async function seedPeople(visitor: Visitor, home: string, number: string): Promise<void> {
  await visitor.fill(`${home}/team/invite`, { email: 'new.colleague@shop.example', role: 'support' })
  const note = { note: 'Spoke to the customer: the scratch is small, £34.50 back is fine.' }
  await visitor.fill(`${home}/payments/${number}`, note, `${home}/payments/${number}/do/note`)
}

async function seedTrouble(house: House): Promise<void> {
  const { db, merchantId } = house
  await db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, paused_at, last_failed_at)
    values (${merchantId}, 'test', 'https://shop.invalid', now() - interval '3 days', now() - interval '1 hour', now())
    on conflict do nothing`)
}

/** A month of figures, the weekends quieter. */
async function seedDays({ db, merchantId }: House): Promise<void> {
  await db.query(sql`
    insert into daily_totals (merchant_id, mode, currency, day, paid, paid_minor, unpaid, refunds, refunded_minor)
    select ${merchantId}::integer, 'test', currency, (now() at time zone 'utc')::date - n, 20 + n % 7, (20 + (n * 17) % 23) * 4321 * (7 - n % 7),
      n % 4, n % 3, (n % 3) * 1750
    from generate_series(1, 29) as n, unnest(array['GBP', 'EUR']) as currency where currency = 'GBP' or n % 2 = 0
    on conflict do nothing`)
}

/** The id of one of them. */
async function seedRequests(house: House): Promise<string> {
  await post(`${house.url}/api/payment`, { tx_ref: '', amount: 'ten' }, house.secretKey)
  await call(`${house.url}/api/transaction/nothing`, { key: house.secretKey })
  const last = await call(`${house.url}/api/transactions?limit=2`, { key: house.secretKey })
  await house.app.flush()
  return last.headers.get('x-request-id') ?? ''
}
