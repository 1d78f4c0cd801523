import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { feedRow } from '../../../../test/support/payout-rows.ts'
import { insertRows, openTwoMerchants, type TwoMerchants } from '../../../../test/support/rows.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { countWaiting } from '../../../../test/support/who-waits.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { lockBookkeeping, setBookkeeping } from './bookkeeping-store.ts'
import { changeBookkeeping, networksToBook, readBookkeeping, settingNames } from './settings.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  await insertRows(two.db, 'payout_feeds', [
    feedRow({ merchant_id: two.own }),
    feedRow({ merchant_id: two.own, account_id: 'acc_test', connector: 'test-network', mode: 'test' }),
    feedRow({ merchant_id: two.own, account_id: 'acc_again', mode: 'test' }),
    feedRow({ merchant_id: two.other, connector: 'gocardless' }),
  ])
})
after(() => two.close())

const change = async (typed: Record<string, string>): Promise<void> =>
  changeBookkeeping(two.db, two.own, typed, ['stripe'], bySystem)

for (const [name, least, most, property] of [
  ['consultant_number', 1_001, 9_999_999, 'consultantNumber'],
  ['client_number', 1, 99_999, 'clientNumber'],
  ['fiscal_year_month', 1, 12, 'fiscalYearMonth'],
  ['account_length', 4, 8, 'accountLength'],
] as const)
  test(`${name} is a whole number from ${least} to ${most}`, async () => {
    for (const good of [least, most]) {
      await change({ [name]: ` ${good} ` })
      assert.equal((await readBookkeeping(two.db, two.own))[property], good)
    }
    for (const wrong of [least - 1, most + 1, '1.5', 'x'])
      await assert.rejects(change({ [name]: String(wrong) }), {
        errors: { [name]: [`${name} must be a whole number from ${least} to ${most}`] },
      })
  })

test('without settings a fiscal year is the calendar’s, and accounts have four digits', async () => {
  assert.deepEqual(await readBookkeeping(two.db, two.other), {
    consultantNumber: undefined,
    clientNumber: undefined,
    fiscalYearMonth: 1,
    accountLength: 4,
    chart: '',
    accounts: {},
    clearing: {},
  })
})

test('an empty number of the tax adviser is removed, and the others can’t be empty', async () => {
  await change({ consultant_number: '1001', client_number: '7' })
  await change({ consultant_number: '', client_number: '' })
  const { consultantNumber, clientNumber } = await readBookkeeping(two.db, two.own)
  assert.deepEqual([consultantNumber, clientNumber], [undefined, undefined])
  for (const name of ['fiscal_year_month', 'account_length']) await assert.rejects(change({ [name]: '' }))
})

for (const [account, isGood] of [
  ['1', true],
  ['0800', true],
  ['123456789', true],
  ['1234567890', false],
  ['0', false],
  ['0000', false],
  ['12a', false],
] as const)
  test(`${account} is ${isGood ? 'the' : 'no'} number of an account`, async () => {
    const set = change({ sales: account, clearing_stripe: account })
    if (!isGood) return assert.rejects(set)
    await set
    const { accounts, clearing } = await readBookkeeping(two.db, two.own)
    assert.deepEqual([accounts.sales, clearing['stripe']], [account, account])
  })

test('what is not typed stays, and an empty account is removed', async () => {
  await change({ sales: '8400', bank: '1200', chart: '04' })
  await change({ sales: '' })
  const { accounts, chart } = await readBookkeeping(two.db, two.own)
  assert.deepEqual([accounts.sales, accounts.bank, chart], [undefined, '1200', '04'])
  assert.deepEqual((await readBookkeeping(two.db, two.other)).accounts, {})
})

test('networks of both modes have a clearing account, each once', async () => {
  assert.deepEqual((await networksToBook(two.db, two.own)).toSorted(), ['stripe', 'test-network'])
  assert.deepEqual(await networksToBook(two.db, two.other), ['gocardless'])
  assert.ok(settingNames(['stripe']).includes('clearing_stripe'))
})

test('two who change settings at once keep each other’s', async () => {
  const row = {
    consultant_number: null,
    client_number: 7,
    fiscal_year_month: 1,
    account_length: 4,
    chart: '',
  }
  let second: Promise<void> | undefined
  await inTransaction(two.db, async (tx) => {
    await lockBookkeeping(tx, two.own)
    await setBookkeeping(tx, two.own, row)
    second = change({ consultant_number: '1001' })
    await waitUntil('the second waits', async () => (await countWaiting(two.db)) === 1)
  })
  await second
  const { consultantNumber, clientNumber } = await readBookkeeping(two.db, two.own)
  assert.deepEqual([consultantNumber, clientNumber], [1_001, 7])
})
