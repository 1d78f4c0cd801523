import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { listAudit } from '../../../core/audit/list-audit.ts'
import { pictureIdOf } from '../../../core/merchants/pictures/pictures.ts'
import { pauseFailingReceivers } from '../../../core/notifications/ipn/pause-receivers.ts'
import { makeOutbox } from '../../../core/notifications/outbox.ts'
import type { Queue } from '../../../core/notifications/queues.ts'
import { pauseReceiver } from '../../../core/notifications/receivers/pause-receiver.ts'
import { call, openHouse, post, type House } from '../../../../test/support/house.ts'
import { paymentRequest } from '../../../../test/support/payment-request.ts'
import { createPayment, happens } from '../../../../test/support/pay.ts'
import { openReceiver, type Receiver } from '../../../../test/support/receiver.ts'
import { paidPayment, refund } from '../../../../test/support/refunds.ts'
import { insertRows } from '../../../../test/support/rows.ts'
import { runFlorin, type Ended } from '../../../../test/support/run-florin.ts'
import { dumpTables } from '../../../../test/support/search-everything.ts'

// What people may ask for: everything that is known of them, and to be forgotten.

const email = 'Quentin.Quill@Example.com'
const who = { email, first_name: 'Quentin', last_name: 'Quillfeather' }
/** One address as shops write it into URLs. */
const spelled = [
  'Quentin.Quill@Example.com',
  'quentin.quill%40example.com',
  'quentin%2Equill@example.com',
  '%71uentin.quill%2540example.com',
  'to%2Fquentin.quill%40example.com',
]
/** A part of the address without the first name, which is replaced by itself. */
const traces = [email, 'quill@example.com', 'quentin', 'quillfeather', '+44 1632 960001', '12 Elm Road']

let house: House
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
  house = await openHouse()
  await fill()
})
after(async () => {
  await house.close()
  await receiver.close()
})

let paid = { txRef: '', number: '', merchantId: 0 }

async function fill(): Promise<void> {
  const meta = { phone: '+44 1632 960001', ship_to: '12 Elm Road' }
  paid = await paidPayment(house, 'good', {
    ...who,
    meta,
    title: 'For Quentin',
    description: 'Tea for quentin quillfeather',
    callback_url: `${receiver.url}?customer=quentin.quill%40example.com`,
    return_url: 'https://shop.example.com/thanks?name=Quillfeather',
  })
  await refund(house, paid, { amount: '1.00', reason: 'Mr Quillfeather was not at home' })
  const live = await createPayment(house, { ...who, email: email.toLowerCase() }, house.liveKey)
  await happens(house, live, 'paid')
  await createPayment(house, who)
  await fillUrls()
  // Somebody else, who stays.
  await paidPayment(house, 'good', { email: 'quentin@example.org', first_name: 'Grace', last_name: 'Hopper' })
  const { merchantId } = house
  await house.app.flush()
  await house.db.query(sql`
    insert into payment_notes (merchant_id, number, id, author, text)
    values (${merchantId}, ${paid.number}, 'note_1', 'per_1', 'Mrs Quillfeather rang')`)
  await house.db.query(sql`
    insert into form_refusals (merchant_id, mode, at, request_id, code, message, errors)
    values (${merchantId}, 'test', now(), 'r1', 'validation_failed', ${`${email} was refused`},
            ${JSON.stringify({ email: [`"${email}" is not allowed`] })}::json)`)
  await house.db.query(sql`
    insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, error, answer)
    select ${merchantId}::integer, id, 9, now(), 1, ${`550 <${email}> unknown`}, ${'Hello Quentin'} from deliveries
    where merchant_id = ${merchantId} and number = ${paid.number}`)
}

/** The address in the path, the query and the fragment of every URL, and in a subdomain. */
async function fillUrls(): Promise<void> {
  const urlsOf = (at: string): string[] => spelled.map((part) => `${at}/of/${part}/x?to=${part}#${part}`)
  const logos = urlsOf('https://shop.example.com')
  const { merchantId, secretKey: key, db } = house
  const hooks = urlsOf(`${receiver.url}/hook`).slice(0, 3)
  for (const url of hooks) {
    const made = await post(`${house.url}/api/endpoints`, { url, description: `For ${email}` }, key)
    assert.equal(made.status, 201, made.text)
  }
  for (const [place, callback_url] of urlsOf(receiver.url).entries()) {
    await paidPayment(house, 'good', {
      ...who,
      callback_url,
      return_url: place === 0 ? 'https://quentin-quillfeather.shop.example.com/' : logos[place],
      customization: { title: 'Tea', logo: logos[place] },
    })
  }
  const pictures = await db.query<{ source: string }>(sql`
    select distinct logo as source from payments where merchant_id = ${merchantId} and logo is not null`)
  await insertRows(
    db,
    'pictures',
    pictures.map(({ source }) => ({
      merchant_id: merchantId,
      id: pictureIdOf(source),
      source,
      refused_for: 'must be a PNG or a JPEG',
    })),
  )
  const queues = await db.query<Queue>(sql`
    select distinct merchant_id as "merchantId", mode, origin from deliveries
    where merchant_id = ${merchantId} and origin ~ '@|%(25)*40' order by origin`)
  // One for each spelling of the path, and the endpoints.
  assert.equal(queues.length, spelled.length + hooks.length)
  const [byHand = assert.fail(), byItself = assert.fail(), ...failing] = queues
  await pauseReceiver(db, byHand, bySystem, new Date())
  await db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, last_failed_at)
    select merchant_id, mode, origin, now() - interval '6 days', now()
    from json_to_recordset(${JSON.stringify([byItself, ...failing].map((one) => ({ ...one, merchant_id: merchantId })))})
      as failing (merchant_id integer, mode text, origin text)`)
  await pauseFailingReceivers({ db, outbox: makeOutbox() }, merchantId, [byItself], new Date())
}

async function florin(...args: string[]): Promise<Ended> {
  return runFlorin(args, { DATABASE_URL: house.databaseUrl, LOG_LEVEL: 'silent' })
}

/** Every form in which a column of any type could hold it. */
function found(text: string): string[] {
  const low = text
    .toLowerCase()
    .replaceAll(/%(?:25)*([0-9a-f]{2})/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
  return traces
    .map((trace) => trace.toLowerCase())
    .filter((trace) =>
      [trace, encodeURIComponent(trace).toLowerCase(), Buffer.from(trace).toString('hex')].some((form) =>
        low.includes(form),
      ),
    )
}

async function readRecords(): Promise<unknown> {
  return [
    await house.db.query(sql`
      select number, state, currency, amount_minor, charge_minor, refunded_minor, tx_ref, created_at from payments
      order by number`),
    await house.db.query(
      sql`select number, id, at, event, from_state, to_state from payment_history order by 1, 2`,
    ),
    await house.db.query(sql`select id, state, amount_minor from refunds order by 1`),
  ]
}

test('an export holds everything stored about an address, in any case, and nothing about others', async () => {
  const { code, out, err } = await florin('customer', 'export', '--email', email.toUpperCase())
  assert.deepEqual([code, err], [0, ''])
  const { merchants } = JSON.parse(out) as { merchants: Record<string, unknown[]>[] }
  assert.equal(merchants.length, 1)
  const [{ payments = [], refunds = [], notifications = [], refused_forms = [], attempts = [] } = {}] =
    merchants
  assert.equal(payments.length, 3 + spelled.length)
  assert.equal(refunds.length, 1)
  assert.equal(attempts.length, 1 + spelled.length)
  assert.equal(refused_forms.length, 1)
  assert.ok(notifications.length >= 4)
  assert.deepEqual(
    found(out),
    traces.map((trace) => trace.toLowerCase()),
  )
  assert.doesNotMatch(out, /Hopper/)
  const nobody = await florin('customer', 'export', '--email', 'nobody@example.com')
  assert.deepEqual((JSON.parse(nobody.out) as { merchants: unknown[] }).merchants, [])
})

test('an erasure leaves no trace in any column of any table, keeps every amount, and is audited', async () => {
  const before_ = await readRecords()
  assert.notDeepEqual(found(await dumpTables(house)), [])
  const unsure = await florin('customer', 'erase', '--email', email)
  assert.equal(unsure.code, 64)
  assert.match(unsure.err, /--yes/)

  const { code, out, err } = await florin('customer', 'erase', '--email', email, '--yes')
  assert.deepEqual([code, err], [0, ''])
  assert.match(
    out,
    /^Merchant \d{8}: 3 endpoints, \d+ notifications, 1 refunds, \d+ requests, 6 attempts, 1 notes, 1 refused forms, 8 payments\n$/,
  )

  const tables = await dumpTables(house)
  // The other customer's address, which is part of his, stays.
  const traced = tables
    .split('\n')
    .filter((line) => found(line.replaceAll('quentin@example.org', '')).length > 0)
  assert.deepEqual(traced, [])
  assert.match(tables, /Hopper/)
  assert.deepEqual(found(house.log()), [])
  assert.deepEqual(await readRecords(), before_)

  const entries = await listAudit(house.db, house.merchantId, {
    action: 'customer',
    subject: undefined,
    since: undefined,
    until: undefined,
    limit: 10,
  })
  assert.deepEqual(entries.map(({ action }) => action).toSorted(), ['customer.erased', 'customer.exported'])
  const again = await florin('customer', 'erase', '--email', email, '--yes')
  assert.deepEqual([again.code, again.err], [0, 'No data is stored for that address.\n'])
})

test('after an erasure a waiting notification is sent without the person, a waiting mail isn’t, and payments work', async (t) => {
  const shown = await call(`${house.url}/api/transaction/${paid.txRef}`, { key: house.secretKey })
  assert.equal(shown.status, 200)
  assert.match(shown.text, /erased@florin\.invalid/)
  const mails = await house.db.query(sql`
    select state from deliveries where kind = 'mail' and mode = 'live' and state = 'waiting'`)
  assert.deepEqual(mails, [])

  const worker = house.app.startWorker()
  t.after(() => worker.stop())
  const [received] = await receiver.first(1)
  assert.deepEqual(found(JSON.stringify([received?.body, received?.headers])), [])
  assert.match(String(received?.body), /"event":"(payment\.success|refund\.success)"/)

  assert.equal((await refund(house, paid, { amount: '2.00' })).status, 201)
  const written = await house.db.query(sql`
    select id from deliveries where kind = 'mail' and number = ${paid.number} and created_at > now() - interval '5 seconds'
      and target <> 'erased@florin.invalid'`)
  assert.deepEqual(written, [])
})

test('a URL with a user part is refused, so no address is stored there', async () => {
  for (const name of ['callback_url', 'return_url']) {
    const url = 'https://quentin.quill%40example.com:x@shop.example.com/'
    const { status } = await post(
      `${house.url}/api/payment`,
      paymentRequest({ [name]: url }),
      house.secretKey,
    )
    assert.equal(status, 400, name)
  }
})
