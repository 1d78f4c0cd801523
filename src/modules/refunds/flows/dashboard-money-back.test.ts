import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { makeNetworks } from '../../../app/networks.ts'
import { makeOutbound } from '../../../platform/outbound/outbound.ts'
import { disputePage } from '../../disputes/dashboard/dispute-page.ts'
import { findDispute } from '../../disputes/find-dispute.ts'
import { recordAnswer } from '../../disputes/record-answer.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { makeStillClock } from '../../../../test/support/clock.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { workOnRefunds, refundingOf } from '../../../../test/support/refunds.ts'
import { someDispute, someRefund } from '../../../../test/support/shop-day.ts'
import { cardOf } from '../../../../test/support/till.ts'
import { actionsOf, signedIn, type Visitor } from '../../../../test/support/visitor.ts'

// Refunds and disputes at the dashboard: lists, filters, pages, and what they say to do.

const clock = makeStillClock()
let house: House
let owner: Visitor
let home: string
before(async () => {
  house = await openHouse({ world: { now: clock.now } })
  home = `/dashboard/${house.merchantId}/test`
  owner = await signedIn(house, { role: 'owner' })
})
after(() => house.close())

const page = async (path: string): Promise<string> => (await owner.get(home + path)).text
const rowsIn = (text: string): number => text.match(/class="row"/g)?.length ?? 0

test('a refund is found by its own reference and its order’s, and links to its payment', async () => {
  const one = await someRefund(house, 'good', { reason: 'Damaged <b>box</b>' })
  await someRefund(house)
  for (const q of [one.ref, one.payment.txRef]) {
    const text = await page(`/refunds?q=${q}`)
    assert.equal(rowsIn(text), 1, q)
    assert.match(text, new RegExp(`${home}/payments/${one.payment.number}`))
  }
  const text = await page(`/refunds/${one.id}`)
  assert.match(text, /Paid back/)
  assert.match(text, /Damaged &lt;b&gt;box/)
  assert.match(text, /£|&#163;10\.00/)
  assert.match(await page('/refunds?q=nothing-like-it'), /No matching refunds/)
})

test('refunds are filtered by state and day, and an invalid filter is ignored', async () => {
  const { id } = await someRefund(house, 'refundLater')
  const asked = await page('/refunds?status=submitted')
  assert.ok(asked.includes(id) && rowsIn(asked) === 1)
  assert.equal(rowsIn(await page('/refunds?to=2020-01-01')), 0)
  const today = clock.now().toISOString().slice(0, 10)
  assert.ok((await page(`/refunds?from=${today}&to=${today}`)).includes(id))
  for (const odd of [
    'status=lost',
    'from=2026-02-30',
    'from=0000-01-01',
    'to=tomorrow',
    'q=%00',
    `q=${'x'.repeat(300)}`,
  ])
    assert.ok(rowsIn(await page(`/refunds?${odd}`)) > 1, odd)
})

test('a failed refund explains why, and what to do', async () => {
  const { id } = await someRefund(house, 'refundFails')
  clock.jump(3_600_000)
  await workOnRefunds(refundingOf(house.app))
  const text = await page(`/refunds/${id}`)
  assert.match(text, /<h1>Refund of [^<]+<\/h1>/)
  assert.match(text, /The refund failed/)
  assert.match(text, /card or account is closed/)
  assert.match(text, /What to do:/)
  assert.match(text, /Accepted by the network/)
})

test('older refunds are behind a cursor, each shown once, and filters are kept', async () => {
  for (let made = 0; made < 26; made += 1) await someRefund(house)
  const seen = new Set<string>()
  let path = '/refunds?status=success'
  for (let pages = 0; path !== '' && pages < 10; pages += 1) {
    const text = await page(path)
    for (const [, id = ''] of text.matchAll(/class="row" href="[^"]*\/(rfd_\w+)"/g)) {
      assert.ok(!seen.has(id), 'each once')
      seen.add(id)
    }
    const older = /href="([^"]*)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.ok(older === '' || older.includes('status=success'))
    path = older.replace(home, '')
  }
  const [row] = await house.db.query<{ count: number }>(sql`
    select count(*)::integer as count from refunds where state = 'succeeded'`)
  assert.equal(seen.size, row?.count)
})

test('the export matches the list, for permitted roles, and is audited', async () => {
  await owner.get(`${home}/refunds`)
  const file = await owner.post(`${home}/refunds/do/export`, { status: 'failed' })
  assert.match(file.headers.get('content-type') ?? '', /text\/csv/)
  const [head, ...rows] = readCsv(file.text)
  assert.equal(head?.[0], 'refund_ref')
  assert.ok(rows.length > 0 && rows.every((row) => row.includes('failed')))
  assert.ok((await actionsOf(house)).includes('refunds.exported'))
  const viewer = await signedIn(house, { role: 'viewer' })
  const { text } = await viewer.get(`${home}/refunds`)
  assert.doesNotMatch(text, /Export as CSV/)
  assert.equal((await viewer.post(`${home}/refunds/do/export`)).status, 403)
})

test('the most urgent dispute comes first; decided ones have their own page', async () => {
  const days = (count: number): Date => new Date(clock.now().getTime() + count * 24 * 3_600_000)
  const later = await someDispute(house, { evidenceDueAt: days(9) })
  const undated = await someDispute(house, { evidenceDueAt: undefined })
  const sooner = await someDispute(house, { evidenceDueAt: days(1.2), reason: 'fraudulent' })
  const won = await someDispute(house, { kind: 'won', moneyTaken: false })
  const text = await page('/disputes')
  const order = [...text.matchAll(/class="row" href="[^"]*\/(dsp_\w+)"/g)].map((match) => match[1])
  assert.deepEqual(order, [sooner.id, later.id, undated.id])
  assert.match(text, /<strong><time[^>]*>in 28 hours/)
  assert.ok((await page('/disputes?show=won')).includes(won.id))
  assert.equal(rowsIn(await page(`/disputes?q=${later.payment.txRef}`)), 1)
})

test('a dispute shows what the bank says, what to send, by when, and what happened', async () => {
  const { id, payment } = await someDispute(house)
  const text = await page(`/disputes/${id}`)
  assert.match(text, /never arrived/)
  assert.match(text, /Proof of delivery/)
  assert.match(text, /Evidence due by/)
  assert.match(text, /The bank took the money/)
  assert.match(text, new RegExp(`${home}/payments/${payment.number}`))
  const dispute = await findDispute(house.db, { merchantId: house.merchantId, mode: 'test', id })
  const status = { reason: dispute.reason, money: { amountMinor: 1_000n, currency: 'GBP' } }
  const named = { disputeReference: dispute.reference, chargeReference: dispute.reference }
  await recordAnswer(house.app.paying, dispute, {
    ask: 2,
    status: { ...status, ...named, kind: 'won', moneyTaken: false },
  })
  const decided = await page(`/disputes/${id}`)
  assert.match(decided, /You won/)
  assert.match(decided, /The money came back/)
  assert.doesNotMatch(decided, /What to send/)
})

test('a dispute at a live network links to that network’s page, where it is answered', async () => {
  const { id } = await someDispute(house)
  const dispute = await findDispute(house.db, { merchantId: house.merchantId, mode: 'test', id })
  const outbound = makeOutbound()
  const urls = { STRIPE_URL: '', GOCARDLESS_URL: '', PAYPAL_URL: '', PAYSTACK_URL: '' }
  const stripe = makeNetworks(urls, outbound)[0]
  const place = { home, mode: 'live', merchant: { brand: { timeZone: 'UTC' } } } as const
  const dashboard = { live: { networks: [stripe] } }
  const ask = { place, dashboard, core: { now: clock.now } } as unknown as Parameters<typeof disputePage>[0]
  const live = { ...dispute, mode: 'live', connector: 'stripe', reference: 'du_1/..' } as const
  const told = {
    history: [],
    replies: [],
    names: new Map<string, string>(),
    answering: 'at_network',
  } as const
  const { body } = disputePage(ask, { dispute: live, network: stripe, ...told })
  assert.match(body.text, /href="https:\/\/dashboard\.stripe\.com\/disputes\/du_1%2F\.\."/)
  await outbound.close()
})

test('refunds and disputes of the other mode or another merchant are not found', async () => {
  const other = await createMerchant(house.db, { name: 'Elsewhere', liveEnabled: true })
  const stranger = await signedIn(house, { role: 'owner', merchantId: other })
  const refund = await someRefund(house)
  const dispute = await someDispute(house)
  const things = [`refunds/${refund.id}`, `disputes/${dispute.id}`]
  for (const thing of [...things, 'refunds/x', 'disputes/x', 'refunds/rfd_0000000000000000'])
    assert.equal((await owner.get(`/dashboard/${house.merchantId}/live/${thing}`)).status, 404, thing)
  for (const thing of things)
    assert.equal((await stranger.get(`/dashboard/${other}/test/${thing}`)).status, 404, thing)
})

async function openDispute(): Promise<{ readonly number: string; readonly id: string }> {
  const payment = await createPayment(house, { amount: '20.00' })
  await house.app.payer.pay({ ...payment, mode: 'test' }, cardOf('4000 0000 0000 4400'))
  clock.jump(5_000)
  await workOnDisputes()
  const [row] = await house.db.query<{ id: string }>(sql`
    select id from disputes where number = ${payment.number}`)
  return { number: payment.number, id: row?.id ?? assert.fail() }
}

async function workOnDisputes(): Promise<void> {
  const job = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  while ((await job.run()) > 0);
}

test('evidence is sent from the dashboard, once, and the payment’s timeline says who did it', async () => {
  const { number, id } = await openDispute()
  assert.match(await page(`/payments/${number}`), /bank disputes [^]*Your evidence is due[^]*View dispute/)
  assert.match(await page(`/disputes/${id}`), /Send evidence[^]*Accept the dispute/)
  const to = `${home}/disputes/${id}/answer`
  const form = await page(`/disputes/${id}/answer`)
  const token = owner.token() ?? assert.fail()
  const rpl = /name="id" value="(rpl_\w+)"/.exec(form)?.[1] ?? assert.fail()
  const send = async (fields: Record<string, string>, file: string, headers: Record<string, string> = {}) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ token, id: rpl, ...fields })) body.append(name, value)
    body.append('delivery_file', new Blob([file]), 'Ada Lovelace.pdf')
    return owner.send(to, body, headers)
  }
  const wrong = await send({ explanation: 'Typed <b>with care</b>' }, 'not a PDF')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /Choose a PDF, PNG or JPEG file[^]*Typed &lt;b&gt;with care/)
  for (const _ of [1, 2]) {
    const sent = await send({ explanation: 'See winning_evidence' }, '%PDF-1.7')
    assert.deepEqual([sent.status, sent.to], [303, `${home}/disputes/${id}`])
  }
  assert.match(await page(`/disputes/${id}`), /under review/)
  const who = /Evidence sent to the network[^]*By Person \d+\. Your side of it, Proof of delivery \(file\)\./
  assert.match(await page(`/payments/${number}`), who)
  clock.jump(5_000)
  await workOnDisputes()
  assert.match(await page(`/disputes/${id}`), /You won/)
  assert.match((await owner.get(to)).text, /needs no answer now/)
  assert.equal((await actionsOf(house)).filter((action) => action === 'dispute.answered').length, 1)
})

test('a dispute is accepted after a question, by those who may refund', async () => {
  const { number, id } = await openDispute()
  const support = await signedIn(house, { role: 'support' })
  for (const role of ['developer', 'bookkeeper', 'viewer'] as const) {
    const visitor = await signedIn(house, { role })
    assert.match((await visitor.get(`${home}/disputes/${id}`)).text, /An owner or someone from support/, role)
    for (const form of ['answer', 'accept'])
      assert.equal((await visitor.post(`${home}/disputes/${id}/${form}`)).status, 403, `${role} ${form}`)
  }
  const path = `${home}/disputes/${id}/accept`
  assert.match((await support.get(path)).text, /Accept this dispute\?[^]*&#163;20\.00/)
  assert.equal((await support.post(path)).status, 303)
  assert.match(await page(`/disputes/${id}`), /Treat the order as unpaid/)
  assert.match(await page(`/payments/${number}`), /Dispute accepted[^]*By Person \d+/)
  assert.match((await support.post(path)).text, /needs no answer now/)
  assert.ok((await actionsOf(house)).includes('dispute.accepted'))
})
