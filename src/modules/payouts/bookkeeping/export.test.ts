import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { arrivalRow, feedRow, lineRow, livePayment, payoutRow } from '../../../../test/support/payout-rows.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { listAudit } from '../../../core/audit/list-audit.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { rebuildLineSums } from '../rebuild-sums.ts'
import { exportPeriod, fiscalYearOf, sumPeriod, type ExportFormat, type Period } from './export.ts'
import { changeBookkeeping, readBookkeeping } from './settings.ts'

let two: TwoMerchants
/** Of the audit log. */
const any = { since: undefined, until: undefined, subject: undefined }
const now = new Date('2026-12-01T09:00:00Z')

before(async () => {
  two = await openTwoMerchants()
  for (const merchant_id of [two.own, two.other]) {
    const number = paymentNumber(1)
    const names = { tx_ref: 'order/1 ü', first_name: 'Ada', last_name: '=Lovelace', reference: 'FL-1' }
    await insertRows(two.db, 'payments', [livePayment({ merchant_id, number, ...names })])
    await insertRows(two.db, 'payout_feeds', [
      feedRow({ merchant_id }),
      feedRow({ merchant_id, account_id: 'acc_gc', connector: 'gocardless' }),
    ])
    await insertRows(two.db, 'payouts', [
      payoutRow({ merchant_id, id: 'po_1', amount_minor: 660n, bank_reference: 'STRIPE-77' }),
      payoutRow({ merchant_id, id: 'po_2', amount_minor: 200n, state: 'returned', arrives_on: '2026-11-19' }),
    ])
    await insertRows(two.db, 'payout_history', [
      arrivalRow({ merchant_id, payout_id: 'po_1' }),
      arrivalRow({ merchant_id, payout_id: 'po_2', at: '2026-11-20T08:00:00Z' }),
      arrivalRow({ merchant_id, payout_id: 'po_2', place: 2, state: 'returned', at: '2026-11-25T08:00:00Z' }),
    ])
    await insertRows(two.db, 'payout_lines', [
      lineRow({ merchant_id, reference: 'txn_1', number, payout_id: 'po_1' }),
      lineRow({
        merchant_id,
        reference: 'txn_2',
        number,
        payout_id: 'po_1',
        kind: 'refund',
        type: 'refund',
        gross_minor: -300n,
        fee_minor: 0n,
        tax_minor: 0n,
      }),
      lineRow({
        merchant_id,
        reference: 'txn_3',
        kind: 'fee',
        type: 'stripe_fee',
        gross_minor: 0n,
        fee_minor: 50n,
        tax_minor: 0n,
        booked_at: '2026-11-11T00:00:00Z',
      }),
      lineRow({
        merchant_id,
        reference: 'txn_4',
        kind: 'adjustment',
        type: 'adjustment',
        gross_minor: 5n,
        fee_minor: 0n,
        tax_minor: 0n,
        booked_at: '2026-11-12T00:00:00Z',
      }),
      // The month changes an hour earlier in Berlin.
      lineRow({ merchant_id, reference: 'txn_december', booked_at: '2026-11-30T23:30:00Z' }),
      lineRow({ merchant_id, reference: 'txn_november', booked_at: '2026-10-31T23:30:00Z' }),
      lineRow({ merchant_id, reference: 'txn_pounds', currency: 'GBP' }),
      lineRow({ merchant_id, reference: 'txn_test', mode: 'test' }),
      // A month of Kathmandu begins at a quarter past six in the evening.
      ...['2026-10-31T18:14:59Z', '2026-10-31T18:15:00Z', '2026-11-30T18:14:59Z', '2026-11-30T18:15:00Z'].map(
        (booked_at) => lineRow({ merchant_id, reference: `test_${booked_at}`, mode: 'test', booked_at }),
      ),
      lineRow({ merchant_id, reference: 'PM1', account_id: 'acc_gc', booked_at: '2026-11-13T00:00:00Z' }),
    ])
    await rebuildLineSums(two.db, merchant_id)
  }
})
after(() => two.close())

function november(more: Partial<Period> = {}): Period {
  const days = { from: '2026-11-01', to: '2026-11-30', timeZone: 'Europe/Berlin', currency: 'EUR' }
  return { merchantId: two.own, mode: 'live', ...days, ...more }
}

async function written(format: ExportFormat, period: Period): Promise<Buffer> {
  const file = await exportPeriod(two.db, format, period, { by: bySystem, now })
  return Buffer.concat(await Array.fromAsync(file.pieces))
}

async function setAccounts(typed: Record<string, string>): Promise<void> {
  await changeBookkeeping(two.db, two.own, typed, ['stripe', 'gocardless'], bySystem)
}

// Written by hand: the CSV for November in Berlin.
const general = `date,kind,type,network,tx_ref,reference,customer,amount,fee,tax_on_fee,net,currency,original_amount,original_currency,exchange_rate,network_reference,payout,arrival,bank_reference
2026-11-01,payment,charge,stripe,,,,10.00,0.34,0.06,9.60,EUR,,,,txn_november,,,
2026-11-10,payment,charge,stripe,order/1 ü,FL-1,Ada =Lovelace,10.00,0.34,0.06,9.60,EUR,,,,txn_1,po_1,2026-11-17,STRIPE-77
2026-11-10,refund,refund,stripe,order/1 ü,FL-1,Ada =Lovelace,-3.00,0.00,0.00,-3.00,EUR,,,,txn_2,po_1,2026-11-17,STRIPE-77
2026-11-11,fee,stripe_fee,stripe,,,,0.00,0.50,0.00,-0.50,EUR,,,,txn_3,,,
2026-11-12,adjustment,adjustment,stripe,,,,0.05,0.00,0.00,0.05,EUR,,,,txn_4,,,
2026-11-13,payment,charge,gocardless,,,,10.00,0.34,0.06,9.60,EUR,,,,PM1,,,
2026-11-17,payout,,stripe,,,,-6.60,0.00,0.00,-6.60,EUR,,,,net_po_1,po_1,2026-11-17,STRIPE-77
2026-11-19,payout,,stripe,,,,-2.00,0.00,0.00,-2.00,EUR,,,,net_po_2,po_2,2026-11-19,
2026-11-25,payout_returned,,stripe,,,,2.00,0.00,0.00,2.00,EUR,,,,net_po_2,po_2,,
`

test('the general CSV matches the written sample, in the merchant’s time zone', async () => {
  assert.equal((await written('csv', november())).toString(), general.replaceAll('\n', '\r\n'))
})

test('the DATEV batch matches the written sample', async () => {
  await setAccounts({
    consultant_number: '29098',
    client_number: '55003',
    chart: '03',
    sales: '8400',
    fees: '4970',
    fee_tax: '1576',
    other: '1590',
    bank: '1360',
    clearing_stripe: '1361',
    clearing_gocardless: '1362',
  })
  const bytes = await written('datev', november())
  assert.ok(bytes.includes(Buffer.from('Gegenkonto (ohne BU-Schl\u00fcssel)', 'latin1')))
  const [header, , ...rows] = new TextDecoder('windows-1252').decode(bytes).trimEnd().split('\r\n')
  assert.equal(
    header,
    '"EXTF";700;21;"Buchungsstapel";13;20261201090000000;;"RE";"Florin";"";29098;55003;20260101;4;20261101;20261130;"Florin 2026-11-01 2026-11-30";"";1;0;0;"EUR";;"";;;"03";;;"";""',
  )
  const shown = rows.map((row) => {
    const fields = row.split(';')
    assert.equal(fields.length, 125)
    return [0, 1, 6, 7, 9, 10, 13].map((at) => fields[at]).join(' ')
  })
  // Written by hand: amount, side, account, contra account, date, document field 1, text.
  assert.deepEqual(shown, [
    '10,00 "S" 1361 8400 0111 "txn-november" "stripe payment charge"',
    '0,34 "H" 1361 4970 0111 "txn-november" "stripe fee charge"',
    '0,06 "H" 1361 1576 0111 "txn-november" "stripe tax on fee charge"',
    '10,00 "S" 1361 8400 1011 "order/1--" "stripe payment order/1 ü"',
    '0,34 "H" 1361 4970 1011 "order/1--" "stripe fee order/1 ü"',
    '0,06 "H" 1361 1576 1011 "order/1--" "stripe tax on fee order/1 ü"',
    '3,00 "H" 1361 8400 1011 "order/1--" "stripe refund order/1 ü"',
    '0,50 "H" 1361 4970 1111 "txn-3" "stripe fee stripe_fee"',
    '0,05 "S" 1361 1590 1211 "txn-4" "stripe adjustment adjustment"',
    '10,00 "S" 1362 8400 1311 "PM1" "gocardless payment charge"',
    '0,34 "H" 1362 4970 1311 "PM1" "gocardless fee charge"',
    '0,06 "H" 1362 1576 1311 "PM1" "gocardless tax on fee charge"',
    '6,60 "H" 1361 1360 1711 "STRIPE-77" "stripe payout STRIPE-77"',
    '2,00 "H" 1361 1360 1911 "net-po-2" "stripe payout net_po_2"',
    '2,00 "S" 1361 1360 2511 "net-po-2" "stripe payout net_po_2"',
  ])
})

test('a period’s fees match the network’s charges to the cent, in both files', async () => {
  const sums = await sumPeriod(two.db, november())
  const ofStripe = sums.filter(({ connector }) => connector === 'stripe')
  const fees = ofStripe.reduce((sum, { fee_minor }) => sum + fee_minor, 0n)
  assert.equal(fees, 34n + 34n + 50n)
  assert.equal(
    ofStripe.reduce((sum, { tax_minor }) => sum + tax_minor, 0n),
    12n,
  )
  const rows = readCsv((await written('csv', november())).toString()).slice(1)
  const inCsv = rows
    .filter((row) => row[3] === 'stripe')
    .reduce((sum, row) => sum + Number(row[8]?.replace('.', '')), 0)
  assert.equal(BigInt(inCsv), fees)
  const lines = (await written('datev', november())).toString('latin1').split('\r\n')
  const booked = lines.filter((line) => line.includes(';1361;4970;'))
  assert.equal(
    booked.reduce((sum, line) => sum + BigInt(line.split(';')[0]?.replace(',', '') ?? 0), 0n),
    fees,
  )
})

for (const [timeZone, count] of [
  ['UTC', 3],
  ['Europe/Berlin', 3],
  ['Asia/Kathmandu', 3],
  ['America/St_Johns', 3],
] as const)
  test(`sums are those of the exported lines in ${timeZone}`, async () => {
    const period = november({ mode: 'test', timeZone })
    const sums = await sumPeriod(two.db, period)
    const rows = readCsv((await written('csv', period)).toString()).slice(1)
    assert.deepEqual(
      sums.map(({ line_count, booking_count, net_minor }) => [line_count, booking_count, net_minor]),
      [[count, 3 * count, 960n * BigInt(count)]],
    )
    assert.equal(rows.length, count)
  })

const refusals: readonly (readonly [name: string, format: ExportFormat, Partial<Period>, says: RegExp])[] = [
  ['a day that is none', 'csv', { from: '2026-02-31' }, /from must be a day/],
  ['an end before its beginning', 'csv', { from: '2026-12-01' }, /to must not be before from/],
  ['two fiscal years', 'datev', { to: '2027-01-01' }, /same fiscal year/],
  ['a currency with three decimals', 'datev', { currency: 'BHD' }, /at most two decimals/],
  ['no currency', 'datev', { currency: '' }, /currency is required/],
]

for (const [name, format, more, says] of refusals)
  test(`an export of ${name} is refused as ${format}`, async () => {
    await assert.rejects(
      written(format, november(more)),
      (error) => error instanceof Refusal && says.test(error.message),
    )
  })

test('an export is audited with its days, and with its currency where one was chosen', async () => {
  for (const currency of ['', 'EUR']) {
    await written('csv', november({ currency }))
    const [entry] = await listAudit(two.db, two.own, { action: 'bookkeeping.exported', ...any, limit: 1 })
    const { mode, from, to } = november()
    assert.deepEqual(entry?.after, { mode, format: 'csv', from, to, ...(currency && { currency }) })
  }
})

test('DATEV takes 99,999 bookings in a file, and not one more', async () => {
  const october = november({ from: '2026-10-01', to: '2026-10-31' })
  const sum = {
    merchant_id: two.own,
    mode: 'live',
    hour: '2026-10-10T00:00:00Z',
    account_id: 'acc_stripe',
    currency: 'EUR',
    kind: 'payment',
    line_count: 1,
    gross_minor: 0n,
    fee_minor: 0n,
    tax_minor: 0n,
  }
  await insertRows(two.db, 'payout_line_sums', [{ ...sum, booking_count: 99_999 }])
  assert.match((await written('datev', october)).toString('latin1'), /^"EXTF"/)
  await insertRows(two.db, 'payout_line_sums', [{ ...sum, hour: '2026-10-11T00:00:00Z', booking_count: 1 }])
  await assert.rejects(written('datev', october), /99,999 bookings in a file, and these are 100,000/)
})

test('a required account that isn’t set is named before anything is written', async () => {
  await setAccounts({ other: '', clearing_gocardless: '' })
  await assert.rejects(written('datev', november()), {
    message: 'Set these in the bookkeeping settings first: other, clearing_gocardless',
  })
  await setAccounts({ other: '1590', clearing_gocardless: '1362' })
})

test('without a bank account payouts are not booked', async () => {
  await setAccounts({ bank: '' })
  assert.ok(!(await written('datev', november())).toString('latin1').includes('payout net'))
  await setAccounts({ bank: '1360' })
})

test('a fiscal year starts in the merchant’s chosen month', () => {
  assert.equal(fiscalYearOf('2026-11-01', 1), '2026-01-01')
  assert.equal(fiscalYearOf('2026-06-30', 7), '2025-07-01')
  assert.equal(fiscalYearOf('2026-07-01', 7), '2026-07-01')
})

test('settings are refused one by one, and a change is audited with its previous value', async () => {
  const typed = {
    consultant_number: '5',
    client_number: 'x',
    account_length: '9',
    chart: '05',
    sales: '12a',
    clearing_stripe: '0',
  }
  await assert.rejects(setAccounts(typed), (error) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(Object.keys(error.errors ?? {}), Object.keys(typed))
    return true
  })
  await setAccounts({ sales: '8401' })
  await setAccounts({ sales: '8401' })
  assert.equal((await readBookkeeping(two.db, two.own)).accounts.sales, '8401')
  assert.equal((await readBookkeeping(two.db, two.other)).accounts.sales, undefined)
  const entries = await listAudit(two.db, two.own, { action: 'bookkeeping.changed', ...any, limit: 9 })
  assert.deepEqual([entries[0]?.before, entries[0]?.after], [{ sales: '8400' }, { sales: '8401' }])
  assert.notDeepEqual(entries[1]?.after, { sales: '8401' })
})
