import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../../test/support/people.ts'
import { insertRows, paymentNumber, paymentRow } from '../../../../test/support/rows.ts'
import { newPerson } from '../../../../test/support/visitor.ts'
import { makeLog } from '../../../platform/http/log.ts'
import { changeMerchant, createMerchant } from '../../../core/merchants/create-merchant.ts'
import type { Person } from '../../../dashboard/people/people.ts'
import { changeMonthlySummary } from '../../../dashboard/people/team/monthly-readers.ts'
import { monthlySummariesJob, sendSummary } from './send-summaries.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
  const november = new Date('2026-11-02T09:00:00Z').getTime()
  room.clock.jump(november - room.clock.now().getTime())
})
after(() => room.close())

const sending = () => ({ people: room.people, networks: [{ name: 'test-bank', label: 'Test bank' }] })
const visitor = visitorFrom('192.0.2.1')

type Team = { readonly merchantId: number; readonly owner: Person; readonly viewer: Person }

async function openTeam({ isLive = true } = {}): Promise<Team> {
  const merchantId = await createMerchant(room.db, { name: 'Kettle', liveEnabled: isLive })
  const member = async (role: 'owner' | 'viewer'): Promise<Person> => {
    const { id, email, name } = await newPerson(room, { role, merchantId })
    return { id, email, name, isOperator: false, hasPassword: true, hasTotp: false }
  }
  return { merchantId, owner: await member('owner'), viewer: await member('viewer') }
}

async function subscribe({ merchantId, owner }: Team, person: Person, isOn = true): Promise<void> {
  await changeMonthlySummary(room.people, merchantId, { personId: person.id, isOn }, owner, visitor)
}

async function sell(merchantId: number, day: string, currency = 'GBP', mode = 'live'): Promise<void> {
  const figures = { paid: 3, paid_minor: 12_345, fee_minor: 233, refunds: 1, refunded_minor: 1_000 }
  await insertRows(room.db, 'daily_totals', [
    { merchant_id: merchantId, mode, currency, day, ...figures, reversed: 1, reversed_minor: 2_000 },
  ])
}

/** A booking of a network, and a payment that none has booked. */
async function charge(merchant_id: number, at: string): Promise<void> {
  const hour = `${at}T09:00:00Z`
  const sums = { line_count: 1, booking_count: 3, gross_minor: 12_345, fee_minor: 300, tax_minor: 45 }
  const named = { account_id: 'acc_1', currency: 'GBP', kind: 'payment' }
  await insertRows(room.db, 'payout_line_sums', [{ merchant_id, mode: 'live', hour, ...named, ...sums }])
  const paid = { state: 'success', mode: 'live', amount_minor: 1_531n, paid_at: hour }
  const paid_with = '{"network":"test-bank"}'
  await insertRows(room.db, 'payments', [
    paymentRow({ merchant_id, number: paymentNumber(1), ...paid, paid_with }),
  ])
}

const to = (person: Person) => room.emails.filter((mail) => mail.to === person.email)

test('readers get one e-mail for a month, however many servers look, and nobody else gets one', async () => {
  const team = await openTeam()
  await sell(team.merchantId, '2026-10-31')
  await charge(team.merchantId, '2026-10-31')
  await sell(team.merchantId, '2026-09-01')
  await sell(team.merchantId, '2026-09-02')
  await sell(team.merchantId, '2026-11-01')
  await subscribe(team, team.viewer)
  const job = monthlySummariesJob({ ...sending(), log: makeLog('silent') })
  await Promise.all([
    job.run(),
    sendSummary(sending(), team.merchantId),
    sendSummary(sending(), team.merchantId),
  ])
  await job.run()
  const [mail, ...more] = to(team.viewer)
  assert.deepEqual([more, to(team.owner)], [[], []])
  assert.equal(mail?.subject, 'Kettle: October 2026')
  assert.deepEqual(mail?.rows, [
    ['Gross', '£123.45 (3 payments, 50 % less)'],
    ['Refunds', '−£10.00 (1)'],
    ['Disputes', '−£20.00 (1)'],
    ['Network fees', '−£3.45'],
    ['Net', '£90.00, £186.90 the month before'],
  ])
  assert.match(
    mail.paragraphs.join(' '),
    /Not in these fees: 1 payment, £15\.31, fees not reported by Test bank yet\./,
  )
  assert.match(mail.link?.url ?? '', /\/live\/bookkeeping\?from=2026-10-01&to=2026-10-31$/)
  assert.match(
    mail.paragraphs.join(' '),
    /Stop it on the team page: https:\/\/pay\.example\.com\/dashboard\/\d+\/live\/team/,
  )
  room.clock.jump(30 * 86_400_000)
  await job.run()
  assert.deepEqual(
    to(team.viewer).map(({ subject }) => subject),
    ['Kettle: October 2026', 'Kettle: November 2026'],
  )
  room.clock.jump(-30 * 86_400_000)
})

test('rows name the currency where there are several', async () => {
  const team = await openTeam()
  await sell(team.merchantId, '2026-10-15')
  await sell(team.merchantId, '2026-10-15', 'EUR')
  await subscribe(team, team.owner)
  assert.equal(await sendSummary(sending(), team.merchantId), 1)
  const labels = to(team.owner)[0]?.rows.map(([label]) => label)
  assert.deepEqual(new Set(labels?.map((label) => label.slice(0, 3))), new Set(['GBP', 'EUR']))
})

test('test payments, empty months and merchants that are not live get no summary', async () => {
  const test_ = await openTeam()
  await sell(test_.merchantId, '2026-10-15', 'GBP', 'test')
  await subscribe(test_, test_.owner)
  assert.equal(await sendSummary(sending(), test_.merchantId), 0)
  const off = await openTeam({ isLive: false })
  await sell(off.merchantId, '2026-10-15')
  await subscribe(off, off.owner)
  assert.equal(await sendSummary(sending(), off.merchantId), 0)
  // Its month was not claimed: it comes once the merchant is live.
  await changeMerchant(room.db, off.merchantId, { liveEnabled: true })
  assert.equal(await sendSummary(sending(), off.merchantId), 1)
})

test('owners choose for everyone, others only for themselves', async () => {
  const team = await openTeam()
  const { merchantId, owner, viewer } = team
  const forOwner = { personId: owner.id, isOn: true }
  await assert.rejects(changeMonthlySummary(room.people, merchantId, forOwner, viewer, visitor), {
    code: 'not_allowed',
  })
  await changeMonthlySummary(room.people, merchantId, { personId: viewer.id, isOn: true }, viewer, visitor)
  await subscribe(team, viewer, false)
  await sell(merchantId, '2026-10-15')
  assert.equal(await sendSummary(sending(), merchantId), 0)
  const stranger = { personId: 'per_0000000000000000', isOn: true }
  await assert.rejects(changeMonthlySummary(room.people, merchantId, stranger, owner, visitor), {
    code: 'not_found',
  })
})
