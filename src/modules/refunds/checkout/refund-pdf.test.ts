import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { plainBrand } from '../../../core/merchants/brand/brand.ts'
import type { Attached } from '../../../core/notifications/mail/send-mail.ts'
import { drawPaper } from '../../../core/checkout/receipt/draw-paper.ts'
import type { Receipt } from '../../../core/checkout/receipt/files/receipt-files.ts'
import { storedLogo } from '../../../core/checkout/receipt/stored-logo.ts'
import { refundPaper, makeAttachReceipt, type RefundReceipt } from './refund-pdf.ts'

const receipt: RefundReceipt = {
  merchantName: 'Corner shop',
  language: 'en',
  refundedMinor: 1_000n,
  paidMinor: 5_000n,
  currency: 'GBP',
  reason: 'Too small',
  refundRef: 'rf-1',
  reference: 'FL1',
  txRef: 'order-1',
  at: '2026-11-15T14:05:00Z',
  brand: { ...plainBrand, address: ['1 High Street', 'London'] },
  isTest: true,
}

async function textsOf(changes: Partial<RefundReceipt> = {}): Promise<string[]> {
  return readPdf(await drawPaper(refundPaper({ ...receipt, ...changes }))).texts
}

test('every line of a refund’s receipt is in its place', async () => {
  const { placed, rules } = readPdf(await drawPaper(refundPaper(receipt)))
  assert.equal(rules, 2)
  assert.deepEqual(placed, [
    [
      '72 748 15 Corner shop',
      '72 716 11 Refund receipt',
      '72 672 34 £10.00',
      '72 616 11 Amount',
      '220 616 11 £50.00',
      '72 592 11 Reason',
      '220 592 11 Too small',
      '72 568 11 Date',
      '220 568 11 15 November 2026, 14:05 UTC',
      '72 544 11 Order reference',
      '220 544 11 order-1',
      '72 520 11 Reference',
      '220 520 11 FL1',
      '72 496 11 Refund receipt',
      '220 496 11 rf-1',
      '72 450 11 Test payment. No money was taken.',
      '72 426 9 1 High Street, London',
    ],
  ])
})

test('a refund’s receipt is in the e-mail’s language, else English, and mentions tests only in test mode', async () => {
  assert.ok((await textsOf({ language: 'de', isTest: false })).includes('Betrag'))
  assert.deepEqual(await textsOf({ language: 'xx' }), await textsOf())
  const live = await textsOf({ isTest: false, reason: undefined })
  assert.ok(!live.some((text) => /Test payment|Reason/.test(text)))
})

test('a refund’s receipt uses only logos stored with us', async () => {
  const asked: string[] = []
  const byId = async (merchantId: number, id: string): Promise<undefined> => {
    asked.push(`${merchantId} ${id}`)
  }
  const id = '0123456789abcdef0123456789abcdef'
  for (const address of [undefined, 'https://cdn.example/logo.png', `/logo/12345678/${id}x`])
    assert.equal(storedLogo({ byId }, address), undefined)
  assert.deepEqual(asked, [])
  await storedLogo({ byId }, `https://pay.example/florin/logo/12345678/${id}`)?.read()
  assert.deepEqual(asked, [`12345678 ${id}`])
})

test('only a refund’s e-mail has a receipt attached, named after its payment', async () => {
  const inTurn = async ({ paper }: Receipt): Promise<Buffer> => drawPaper(paper)
  const attach = makeAttachReceipt({ inTurn }, { byId: async () => undefined })
  const attached = (template: string, merchantName = 'Corner shop') =>
    attach({
      facts: {
        template,
        language: 'en',
        refundedMinor: '1000',
        amountMinor: '5000',
        currency: 'GBP',
        reason: 'Too small',
        refundRef: 'rf-1',
        reference: 'FL/1 "x',
        txRef: 'order-1',
      },
      context: { merchantName, at: receipt.at, brand: receipt.brand, isTest: true },
    } as unknown as Attached)
  const enclosed = attached('refund')
  assert.deepEqual([enclosed?.filename, enclosed?.contentType], ['refund-FL1x.pdf', 'application/pdf'])
  const { texts } = readPdf((await enclosed?.draw()) ?? Buffer.alloc(0))
  assert.deepEqual(texts, await textsOf({ reference: 'FL/1 "x' }))
  assert.equal(attached('receipt'), undefined)
  assert.equal(attached('refund', '株式会社'), undefined, 'from nobody')
})
