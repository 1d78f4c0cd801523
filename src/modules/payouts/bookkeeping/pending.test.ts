import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { feedRow, lineRow, livePayment } from '../../../../test/support/payout-rows.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { rebuildLineSums } from '../rebuild-sums.ts'
import { exportPeriod, type ExportFormat, type Period } from './export.ts'
import { changeBookkeeping } from './settings.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  const merchant_id = two.own
  const paid = (place: number, day: string, network: string, more: object = {}) =>
    livePayment({
      merchant_id,
      number: paymentNumber(place),
      tx_ref: `late-${place}`,
      reference: `FL-L${place}`,
      state: 'success',
      amount_minor: 1_000n,
      paid_at: `2025-${day}T12:00:00Z`,
      paid_with: JSON.stringify({ network }),
      ...more,
    })
  const line = (place: number, day: string, more: object) =>
    lineRow({
      merchant_id,
      reference: `late${place}`,
      number: paymentNumber(place),
      booked_at: `2025-${day}`,
      ...more,
    })
  await insertRows(two.db, 'payout_feeds', [
    feedRow({ merchant_id }),
    feedRow({ merchant_id, account_id: 'acc_gc', connector: 'gocardless' }),
  ])
  await insertRows(two.db, 'payments', [
    paid(21, '05-31', 'stripe', { booked: true }),
    paid(22, '05-31', 'gocardless', { booked: true }),
    paid(23, '05-31', 'gocardless', { booked: true, currency: 'GBP' }),
    paid(24, '05-31', 'gocardless'),
    paid(25, '05-31', 'test-bank', { amount_minor: 7n }),
  ])
  await insertRows(two.db, 'payout_lines', [
    line(21, '05-31', {}),
    line(22, '06-05', { account_id: 'acc_gc' }),
    line(23, '06-06', { account_id: 'acc_gc' }),
  ])
  await rebuildLineSums(two.db, merchant_id)
  const numbers = { consultant_number: '29098', client_number: '55003' }
  const accounts = { sales: '8400', fees: '4970', clearing_stripe: '1361', clearing_gocardless: '1362' }
  await changeBookkeeping(
    two.db,
    merchant_id,
    { ...numbers, ...accounts },
    ['stripe', 'gocardless'],
    bySystem,
  )
})
after(() => two.close())

const scope = () => ({ merchantId: two.own, mode: 'live', timeZone: 'Europe/Berlin' }) as const

async function written(format: ExportFormat, period: Period): Promise<Buffer> {
  const now = new Date('2026-12-01T09:00:00Z')
  const file = await exportPeriod(two.db, format, period, { by: bySystem, now })
  return Buffer.concat(await Array.fromAsync(file.pieces))
}

test('a sale is in the month it was paid, and the network’s later line takes the pending one’s place', async () => {
  const rowsOf = async (from: string, to: string, currency = ''): Promise<string[]> => {
    const rows = readCsv((await written('csv', { ...scope(), from, to, currency })).toString()).slice(1)
    return rows.map((row) => [0, 1, 2, 3, 4, 7, 11].map((at) => row[at]).join(' '))
  }
  const waits = (place: number, currency = 'EUR'): string =>
    `2025-05-31 payment_pending paid gocardless late-${place} 10.00 ${currency}`
  assert.deepEqual(await rowsOf('2025-05-01', '2025-05-31'), [
    '2025-05-31 payment charge stripe late-21 10.00 EUR',
    waits(22),
    waits(23, 'GBP'),
    waits(24),
    ' not_booked 2 payments, €10.07, fees not reported by gocardless and test-bank yet    EUR',
  ])
  const june = [
    '2025-06-05 payment_pending booked gocardless late-22 -10.00 EUR',
    '2025-06-05 payment charge gocardless late-22 10.00 EUR',
    '2025-06-06 payment_pending booked gocardless late-23 -10.00 GBP',
    '2025-06-06 payment charge gocardless late-23 10.00 EUR',
  ]
  assert.deepEqual(await rowsOf('2025-06-01', '2025-06-30'), june)
  assert.deepEqual(await rowsOf('2025-06-01', '2025-06-30', 'GBP'), [june[2]])
  assert.equal((await rowsOf('2025-05-01', '2025-06-30')).filter((row) => row.includes('pending')).length, 1)
  const batch = await written('datev', { ...scope(), from: '2025-05-01', to: '2025-05-31', currency: 'EUR' })
  const booked = batch
    .toString('latin1')
    .split('\r\n')
    .filter((row) => row.includes('payment pending'))
  assert.deepEqual(
    booked.map((row) => row.split(';').slice(0, 2).join(' ')),
    ['10,00 "S"', '10,00 "S"'],
  )
})
