import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readPayouts } from '../find-payouts.ts'
import { readBalances } from '../read-balance.ts'
import { makeStillClock } from '../../../../test/support/clock.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { paidPayment, refund } from '../../../../test/support/refunds.ts'
import { actionsOf, signedIn, type Visitor } from '../../../../test/support/visitor.ts'

// Payouts at the dashboard: from a test payment to the line in a bank transfer.

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

async function idOfRefund(): Promise<string> {
  return /\/refunds\/(rfd_\w+)"/.exec(await page('/refunds'))?.[1] ?? ''
}

test('a test payment is paid out by a button, and the payout lists it with its fee', async () => {
  assert.match(await page('/payouts'), /No payouts yet/)
  assert.match(await page('/balance'), /Nothing booked yet/)
  const payment = await paidPayment(house, 'good')
  assert.equal((await refund(house, payment, { amount: '1.00' })).status, 201)
  clock.jump(1_000)
  await owner.fill(`${home}/payouts`, {}, `${home}/payouts/do/check`)
  const { payouts } = await readPayouts(house.db, { merchantId: house.merchantId, mode: 'test' }, {})
  const [payout] = payouts
  assert.ok(payout)
  assert.equal(payout.line_count, 2)
  const list = await page('/payouts')
  assert.match(list, /Announced/)
  assert.match(list, new RegExp(payout.bank_reference ?? 'none'))
  const one = await page(`/payouts/${payout.id}`)
  assert.match(one, /On your bank statement/)
  assert.match(one, new RegExp(`${home}/payments/${payment.number}`))
  assert.match(await page('/payouts?status=failed'), /No payout is in this state/)
  const shown = await page(`/payments/${payment.number}`)
  assert.match(shown, /Network fee/)
  assert.match(shown, new RegExp(`${home}/payouts/${payout.id}`))
  const ofRefund = await page(`/refunds/${await idOfRefund()}`)
  assert.match(ofRefund, /<dt>Network fees<\/dt>/)
  assert.match(
    ofRefund,
    /<dt>Net<\/dt>\s*<dd>[^/]*&#8722;&#163;1\.00/,
    'the refund alone, without its payment',
  )
  assert.match(ofRefund, new RegExp(`${home}/payouts/${payout.id}`))
  assert.match(await page(''), /Coming to your bank/)
  assert.match(await page('/balance'), /On its way/)
  const csv = await owner.fill(`${home}/payouts/${payout.id}`, {}, `${home}/payouts/${payout.id}/do/export`)
  const [header, ...lines] = readCsv(csv.text)
  assert.ok(header?.includes('net_minor'))
  const place = header?.indexOf('net_minor') ?? -1
  const sum = lines.reduce((all, line) => all + Number(line[place]), 0)
  assert.equal(sum, Number(payout.amount_minor))
  assert.ok((await actionsOf(house)).includes('payout.exported'))
})

test('a payout that the bank refused needs attention until it is dealt with', async () => {
  // Less its fees, 37.13 is paid out, which the test network’s bank refuses.
  await paidPayment(house, 'good', { amount: '38.00' })
  clock.jump(1_000)
  const check = async () => owner.fill(`${home}/payouts`, {}, `${home}/payouts/do/check`)
  await check()
  clock.jump(3 * 60_000)
  await check()
  const title = /Your bank didn&#8217;t get a payout of &#163;37\.13/
  const shown = await page('')
  assert.match(shown, title)
  assert.match(shown, /The bank account is closed\. The money is with Test network/)
  const { payouts } = await readPayouts(house.db, { merchantId: house.merchantId, mode: 'test' }, {})
  const { id } = payouts.find(({ state }) => state === 'failed') ?? assert.fail('none failed')
  assert.match(shown, new RegExp(`href="${home}/payouts/${id}"`))
  assert.doesNotMatch((await owner.get(home.replace(/test$/, 'live'))).text, title)
  const balance = async () =>
    (await readBalances(house.db, { merchantId: house.merchantId, mode: 'test' }, clock.now()))[0]
  assert.equal((await balance())?.refusedMinor, 3_713n)
  assert.doesNotMatch(shown, /With your networks[^/]*<\/dt>\s*<dd>[^/]*37\.13/, 'refused money isn’t coming')
  const history = await page(`/payouts/${id}`)
  assert.match(history, /Your bank didn&#8217;t take the money/)
  assert.match(history, /Test network set the money aside/)
  await owner.fill(`${home}/payouts/${id}`, {}, `${home}/payouts/${id}/do/deal-with`)
  assert.doesNotMatch(await page(''), title)
  assert.match(await page(`/payouts/${id}`), /Marked as dealt with/)
  assert.ok((await actionsOf(house)).includes('payout.dealt_with'))
  assert.equal((await balance())?.refusedMinor, 0n)
})

test('the refund form and the payment’s page agree on what the shop keeps, to the penny', async () => {
  const payment = await paidPayment(house, 'good', { amount: '14.00' })
  const path = `/payments/${payment.number}`
  assert.match(await page(path), /Not reported by Test network yet/)
  clock.jump(1_000)
  await owner.fill(`${home}/payouts`, {}, `${home}/payouts/do/check`)
  const form = await owner.fill(`${home}${path}/refund`, { amount: '7.00' })
  assert.match(form.text, /<dt>You keep<\/dt>\s*<dd>[^/]*&#163;6\.52/)
  assert.equal((await refund(house, payment, { amount: '7.00' })).status, 201)
  assert.match(await page(path), /<dt>Net<\/dt>\s*<dd>[^/]*&#163;6\.52/)
})

test('a payout of another merchant or mode is not found', async () => {
  assert.equal((await owner.get(`${home}/payouts/po_none`)).status, 404)
  const { payouts } = await readPayouts(house.db, { merchantId: house.merchantId, mode: 'test' }, {})
  const live = `/dashboard/${house.merchantId}/live`
  assert.equal((await owner.get(`${live}/payouts/${payouts[0]?.id}`)).status, 404)
})
