import { failures } from '../../http/openapi/described.ts'
import type { Operation, Parameter } from '../../http/openapi/openapi.ts'
import { csvType } from '../../http/csv/send-csv.ts'
import { csvLine } from '../../http/csv/csv-line.ts'
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
      "All that the list would show for the same filters, newest first, as one file: UTF-8, a row of names first, amounts as plain decimals and in the smallest unit. A text that a spreadsheet would take for a formula has a ' in front. A file that ends early is incomplete: the connection is cut then.",
    key: 'secret',
    parameters: filters,
    answers: [
      {
        status: 200,
        description: 'The file.',
        file: csvType,
        example: csvLine(exportColumns) + csvLine(example),
        headers: { 'content-disposition': 'attachment, with the name of the file.' },
      },
      failures.rule,
    ],
  }
}
