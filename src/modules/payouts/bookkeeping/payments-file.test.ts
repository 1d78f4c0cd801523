import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, openTwoMerchants, paymentNumber, paymentRow } from '../../../../test/support/rows.ts'
import type { TwoMerchants } from '../../../../test/support/rows.ts'
import { csvLine } from '../../../platform/http/csv/csv-line.ts'
import { listTransactions } from '../../../core/payments/list-payments.ts'
import { paymentsFile } from './payments-file.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
after(() => merchants.close())

async function* once<T>(rows: T): AsyncGenerator<T> {
  yield rows
}

test('each payment has its net, and one that was never paid has no figures', async () => {
  const { db, own } = merchants
  const paidWith = { kind: 'card', network: 'test', brand: 'Visa', last4: '4242' }
  const paid = { paid_at: '2026-07-15T22:30:00Z', paid_with: JSON.stringify(paidWith), charge_minor: 34n }
  const payments = [
    { state: 'failed', charge_minor: 34n },
    { state: 'success', ...paid, refunded_minor: 250n },
    { state: 'reversed', ...paid },
  ].map((row, index) =>
    paymentRow({
      merchant_id: own,
      number: paymentNumber(index + 1),
      created_at: `2026-07-15T22:0${index}:00Z`,
      ...row,
    }),
  )
  await insertRows(db, 'payments', payments)
  const booked = {
    merchant_id: own,
    account_id: 'acc_1',
    mode: 'test',
    type: 'charge',
    number: paymentNumber(2),
  }
  const at = { booked_at: '2026-07-16', available_at: '2026-07-16' }
  const none = { gross_minor: 0, fee_minor: 0, tax_minor: 0, net_minor: 0, ...at }
  const pounds = { kind: 'payment', currency: 'GBP', gross_minor: 1_000, fee_minor: 40, tax_minor: 8 }
  const dollars = { kind: 'fee', currency: 'USD', fee_minor: 120, net_minor: -120 }
  await insertRows(db, 'payout_lines', [
    { ...none, ...booked, reference: 'l1', ...pounds, net_minor: 952 },
    { ...none, ...booked, reference: 'l2', ...dollars },
  ])
  const listed = await listTransactions(db, { merchantId: own, mode: 'test' }, {})
  const { header, pages } = paymentsFile(db, own, once(listed.payments))
  const style = { separator: ';', decimalPoint: ',', timeZone: 'Europe/Berlin' } as const
  const lines = (await Array.fromAsync(pages)).flat().map((cells) => csvLine(cells, style).split(';'))
  const shown = (names: readonly string[]) =>
    lines.map((cells) => names.map((name) => cells[header.indexOf(name)]).join(' '))
  assert.deepEqual(shown(['status', 'amount', 'gross', 'refunds', 'disputes', 'network_fees', 'net']), [
    'reversed 10,00 10,00 0,00 10,00  0,00',
    'success 10,00 10,00 2,50 0,00 0,48 7,02',
    'failed 10,00     ',
  ])
  assert.deepEqual(shown(['fees_reported', 'fees_in_other_currencies', 'platform_fee']), [
    'no  0,34',
    'yes 1.20 USD 0,34',
    '  ',
  ])
  assert.deepEqual(shown(['paid', 'method', 'network'])[1], '2026-07-16 00:30:00 Visa 4242 test')
})
