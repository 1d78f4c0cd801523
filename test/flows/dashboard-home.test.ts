import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lookNow } from '../../src/modules/payouts/ask/look-now.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { failingDelivery } from '../support/failing-delivery.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant, enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { resumeMerchant, suspendMerchant } from '../../src/core/merchants/operator/suspend-merchant.ts'
import { listUnknownAttempts } from '../../src/core/payments/attempts/unknown-attempts.ts'
import { openHouse, type House } from '../support/house.ts'
import { createPayment } from '../support/pay.ts'
import { paidPayment, refund } from '../support/refunds.ts'
import { cards, cardOf } from '../support/till.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

// The first page of a shop, as its team sees it.

let house: House
let owner: Visitor
let viewer: Visitor
let home: string

before(async () => {
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '1000' } })
  await enableCurrency(house.db, house.merchantId, 'EUR')
  home = `/dashboard/${house.merchantId}/test`
  owner = await signedIn(house, { role: 'owner' })
  viewer = await signedIn(house, { role: 'viewer' })
})
after(() => house.close())

/** Without the entities of e-mails beyond ASCII. */
function words(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}

async function see(visitor = owner, path = home): Promise<string> {
  const { status, text } = await visitor.get(path)
  assert.equal(status, 200)
  return words(text).replaceAll(/<style>[^]*?<\/style>/g, '')
}

test('a shop without payments sees what to do first', async () => {
  const text = await see()
  assert.match(text, /Try it in five minutes/)
  assert.match(await see(owner, home.replace('test', 'live')), /Create a key/)
  assert.doesNotMatch(text, /<svg/)
})

test('Home shows what was paid, refunded and charged by networks in words, as bars and as a table', async () => {
  await paidPayment(house, 'good', { amount: '1200.00' })
  const back = await paidPayment(house, 'good', { amount: '34.50' })
  await refund(house, back, { amount: '4.50' })
  const failed = await createPayment(house, { amount: '9.99' })
  for (let tries = 0; tries < 10; tries += 1)
    await house.app.payer.pay({ ...failed, mode: 'test' }, cards.declined)
  const text = await see()
  assert.match(text, /<p class="large"><a href="[^"]+">£1,234\.50<\/a><\/p>/)
  assert.match(text, /2 payments/)
  assert.match(text, /<p class="large">66\.6%<\/p>/)
  assert.match(text, />−£4\.50<\/a>\s*<span class="quiet small">1 refund</)
  // 1.40 % and 20p of each that was paid.
  assert.match(text, /Platform fee £17\.68, not in net/)
  assert.match(text, /<b>£1,230\.00<\/b>/)
  assert.match(text, /2 payments, £1,234\.50, fees not reported by Test network yet/)
  await lookNow(house.app.paying, { merchantId: house.merchantId, mode: 'test' })
  const booked = await see()
  // 1.4 % and 20p of each, with a fifth of that as tax.
  assert.match(booked, /−£21\.21/)
  assert.match(booked, /<b>£1,208\.79<\/b>/)
  assert.doesNotMatch(booked, /fees not reported/)
  assert.match(text, /The bank declined it without a reason<\/a>\s*<span class="figures">1</)
  assert.match(text, /<svg\s+role="img"\s+aria-label="[^"]+Most on/)
  const table = /<details class="days">[^]*?<\/details>/.exec(text)?.[0] ?? ''
  assert.equal(table.match(/<tr>/g)?.length, 32, 'thirty days, their heading and their sum')
  assert.match(text, /Days begin at midnight in UTC/)
  assert.match(text, new RegExp(`href="${home}/payments/${back.number}"`))
})

test('the currency with the most payments comes first, and each has a page', async () => {
  await paidPayment(house, 'good', { amount: '77.00', currency: 'EUR' })
  const pounds = await see()
  assert.match(pounds, /aria-current="page">GBP</)
  const euros = await see(owner, `${home}?currency=EUR`)
  assert.match(euros, /<p class="large"><a href="[^"]+">€77\.00<\/a><\/p>/)
  assert.match(euros, />3 payments<\/a>/, 'currencies are counted together')
  assert.match(await see(owner, `${home}?currency=<b>`), /aria-current="page">GBP</)
})

test('each figure leads to a list of as many, in the days of the shop', async () => {
  const aWeekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
  // Fourteen hours before UTC: mostly another day.
  await changeBrand(house.db, house.merchantId, { timeZone: 'Pacific/Kiritimati' })
  for (const query of ['', '?period=today', '?period=7', '?period=month', `?from=${aWeekAgo}`]) {
    const text = await see(owner, `${home}${query}`)
    for (const [name, rows] of [
      ['payments\\?state=paid&amp;currency=GBP', 2],
      ['payments\\?state=unpaid&amp;currency=GBP', 1],
      ['refunds\\?status=succeeded&amp;currency=GBP', 1],
      ['payments\\?state=reversed&amp;currency=GBP', 0],
    ] as const) {
      const [, path = ''] =
        new RegExp(`href="(${home}/${name}[^"]*)"`).exec(text) ?? assert.fail(`${query} leads to ${name}`)
      const list = await see(owner, path.replaceAll('&amp;', '&'))
      assert.equal(list.match(/<a class="row"/g)?.length ?? 0, rows, `${query} ${name}`)
    }
  }
  await changeBrand(house.db, house.merchantId, { timeZone: 'UTC' })
})

test('the other mode has figures of its own, and another shop has none of ours', async () => {
  assert.doesNotMatch(await see(owner, home.replace('test', 'live')), /1,234/)
  const elsewhere = await createMerchant(house.db, { name: 'Elsewhere' })
  const stranger = await signedIn(house, { role: 'owner', merchantId: elsewhere })
  assert.equal((await stranger.get(home)).status, 404)
  assert.doesNotMatch(await see(stranger, `/dashboard/${elsewhere}/test`), /1,234/)
})

test('open problems are listed with a link to fix them, and gone once fixed', async () => {
  assert.doesNotMatch(await see(), /Needs attention/)
  const unsure = await createPayment(house)
  await house.app.payer.pay({ ...unsure, mode: 'test' }, cards.timeOutPaid)
  const of = { merchantId: house.merchantId, mode: 'test', limit: 9 } as const
  assert.equal((await listUnknownAttempts(house.db, of)).length, 1)
  assert.equal((await listUnknownAttempts(house.db, { ...of, mode: 'live' })).length, 0)
  const { id } = await createKey(house.db, house.merchantId, { kind: 'secret', mode: 'test', name: 'Till 3' })
  await house.db.queryAll([
    sql`update keys set exposed_at = now() where id = ${id}`,
    sql`insert into receivers (merchant_id, mode, origin, failing_since, paused_at, last_failed_at)
      values (${house.merchantId}, 'test', 'https://shop.example', now() - interval '3 days', now(), now()),
             (${house.merchantId}, 'test', 'https://new.example', now() - interval '1 hour', null, now()),
             (${house.merchantId}, 'test', 'https://fine.example', now(), null, now()),
             (${house.merchantId}, 'live', 'https://live.example', now() - interval '3 days', now(), now())`,
    ...failingDelivery(house.merchantId, 'https://urls.example/broken?token=hidden'),
    sql`insert into card_attacks (merchant_id, mode, declines, counted_from, since, until)
      values (${house.merchantId}, 'test', 500, now(), now(), now() + interval '10 minutes')
      on conflict (merchant_id, mode) do update set until = excluded.until`,
    sql`update attempts set state = 'held', charged_minor = 1, charged_currency = 'GBP'
      where number = ${unsure.number}`,
  ])
  const again = await createPayment(house)
  await house.app.payer.pay({ ...again, mode: 'test' }, cards.timeOutPaid)

  const disputed = await createPayment(house, { amount: '20.00' })
  await house.app.payer.pay({ ...disputed, mode: 'test' }, cardOf('4000 0000 0000 0259'))
  await house.db.query(sql`
    update test_network.charges set next_tell_at = now() - interval '1 second', told_from = now() - interval '6 seconds',
      received_at = now() - interval '6 seconds' where payment_number = ${disputed.number}`)
  const disputes = house.app.jobs.find(({ name }) => name === 'disputes') ?? assert.fail()
  await disputes.run()

  const [dispute] = await house.db.query<{ id: string }>(sql`
    select id from disputes where number = ${disputed.number}`)
  const text = await see()
  const matters = /<ul class="matters">[^]*?<\/ul>/.exec(text)?.[0] ?? assert.fail('nothing needs attention')
  for (const [sentence, path] of [
    [/1 charge doesn.{1,7}t match its payment/, `payments/${unsure.number}`],
    [/The key Till 3 is exposed in a web form/, `keys/${id}`],
    [/Someone is testing stolen cards/, 'payments'],
    [/answered for 1 payment/, `payments/${again.number}`],
    [
      /Notifications to https:\/\/shop\.example are paused/,
      'notifications/receiver?origin=https%3A%2F%2Fshop.example',
    ],
    [
      /https:\/\/new\.example isn.{1,7}t accepting notifications/,
      'notifications/receiver?origin=https%3A%2F%2Fnew.example',
    ],
    [
      /https:\/\/urls\.example\/broken is failing<.*HTTP 500/s,
      'notifications/receiver?origin=https%3A%2F%2Furls.example',
    ],
    [/£20\.00 disputed: .*Evidence is due by \d/s, `disputes/${dispute?.id ?? ''}`],
  ] as const) {
    assert.match(matters, sentence)
    assert.ok(matters.includes(`href="${home}/${path}"`), path)
  }
  assert.doesNotMatch(matters, /fine\.example|live\.example/)

  const seenByViewer = await see(viewer)
  assert.doesNotMatch(seenByViewer, /Till 3|shop\.example/, 'what a role may not open is not told to it')
  assert.match(seenByViewer, /Someone is testing stolen cards/)
})

test('a suspended shop is told so', async () => {
  await suspendMerchant(house.db, house.merchantId, bySystem)
  await waitUntil('the page says so', async () => /Corner shop is suspended/.test(await see(viewer)))
  await resumeMerchant(house.db, house.merchantId, bySystem)
})
