import { failures } from '../../../platform/http/openapi/described.ts'
import type { Operation, Parameter } from '../../../platform/http/openapi/openapi.ts'
import { csvLine } from '../../../platform/http/csv/csv-line.ts'
import { exportColumns } from '../export-payments.ts'

const example: readonly (string | number)[] = [
  'order-1001',
  'FLRN7E6AFM3XJF',
  'success',
  'test',
  'API',
  'GBP',
  '1234.50',
  123_450,
  '17.48',
  1_748,
  '0.00',
  0,
  'Ada',
  'Lovelace',
  'ada@example.com',
  'Order 1001',
  'Two chairs',
  '',
  '',
  '{"cart":7}',
  '2026-11-15T14:05:00.123456Z',
  '2026-11-15T14:06:12.654321Z',
]

/** The list as a file, with the filters of the list. */
export function exportOperation(filters: readonly Parameter[]): Operation {
  return {
    id: 'exportTransactions',
    method: 'get',
    path: '/api/transactions.csv',
    group: 'Payments',
    summary: 'Export transactions as CSV',
    description:
      "Everything the list shows for the same filters, newest first, as one UTF-8 file: a header row, then amounts as plain decimals and in the smallest unit; charge is empty for a payment that was never paid. Text that a spreadsheet would read as a formula starts with a '. If the connection breaks, the file is incomplete.",
    key: 'secret',
    parameters: filters,
    answers: [
      {
        status: 200,
        description: 'The file.',
        file: 'text/csv',
        example: csvLine(exportColumns) + csvLine(example),
        headers: { 'content-disposition': 'attachment, with the name of the file.' },
      },
      failures.rule,
    ],
  }
}
