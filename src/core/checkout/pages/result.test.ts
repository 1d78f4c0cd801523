import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import type { RefundRow } from '../../../modules/refunds/find-refunds.ts'
import { draw } from '../draw.ts'
import { refundPart } from '../../../modules/refunds/checkout/part.ts'

const paidAt = Date.parse('2026-11-15T14:05:00Z')
const tenMinutes = 10 * 60 * 1000

function bodyOf(changes: ModelChanges = {}): string {
  return draw(makePageModel({ return_url: 'https://shop.example/', ...changes })).body.text
}

/** What stands on the sheet. */
function sheetOf(changes: ModelChanges = {}): string[] {
  return linesOf(/<section[^]*<\/section>/.exec(bodyOf(changes))?.[0] ?? '')
}

function asOld(ms: number): ModelChanges {
  return { page: { now: new Date(paidAt + ms) } }
}

test('a receipt shows the whole payment and where its e-mail went', () => {
  assert.deepEqual(sheetOf(), [
    'Payment received',
    'Amount:',
    '£1,234.50',
    'Paid to',
    'Corner shop',
    'For',
    'Two chairs (oak)',
    'Paid by',
    'Ada Lovelace',
    'Date',
    '15 November 2026, 14:05\u00a0UTC',
    'Order reference',
    'order-1',
    'Reference',
    'FL123',
    'Test mode sends no e-mail. The receipt for a…\u2060@shop.example is in the mailbox.',
    'Test payment. No money was taken.',
    'Return to Corner shop',
    'Download PDF',
    'Print',
  ])
})

test('the e-mail is mentioned while the payment is fresh, and in live mode only with a mail server', () => {
  const saysMail = (changes: ModelChanges): boolean => sheetOf(changes).some((line) => line.includes('a…'))
  assert.equal(saysMail(asOld(tenMinutes - 1)), true)
  assert.equal(saysMail(asOld(tenMinutes)), false)
  assert.equal(saysMail({ state: 'refunded' }), false)
  assert.equal(saysMail({ mode: 'live' }), false)
  assert.equal(saysMail({ mode: 'live', page: { sendsMail: false } }), false)
  const live = sheetOf({ mode: 'live', page: { sendsMail: true } })
  assert.ok(live.includes('We’re sending a receipt to a…\u2060@shop.example.'))
  assert.ok(!live.includes('Test payment. No money was taken.'))
})

test('only the page right after payment moves on to the shop, and says so', () => {
  const drawn = (changes: ModelChanges): { head: string; body: string } => {
    const { head, body } = draw(makePageModel({ return_url: 'https://shop.example/', ...changes }))
    return { head: head?.text ?? '', body: body.text }
  }
  const refresh =
    '<meta http-equiv="refresh" content="0;url=https://shop.example/?tx_ref=order-1&amp;status=success" />'
  const leaving = drawn({ page: { goesBack: true } })
  assert.ok(leaving.head.includes(refresh))
  assert.ok(!leaving.head.includes('<noscript>'), 'with and without a script')
  assert.match(leaving.body, /Taking you back to .*Corner shop/)
  for (const state of ['success', 'cancelled', 'failed', 'expired', 'refunded', 'reversed'] as const) {
    const { head, body } = drawn({ state })
    assert.doesNotMatch(head + body, /refresh|Taking you back/, state)
    assert.match(body, /class="way-back"/, state)
  }
  assert.doesNotMatch(bodyOf({ return_url: null }), /way-back/)
})

test('a page that may be framed lets its script choose the window to navigate', () => {
  const embed = { origins: ['https://shop.example'], screen: 'paid' }
  const { head } = draw(
    makePageModel({ return_url: 'https://shop.example/', page: { goesBack: true, embed } }),
  )
  assert.match(head?.text ?? '', /<noscript><meta http-equiv="refresh"/)
})

const end = ['Amount', '£1,234.50', 'Order reference', 'order-1', 'Return to Corner shop']
const none = 'No money has been taken.'
const startAgain = 'To pay, start again at Corner shop.'

test('an unpaid payment that ended says why, that no money was taken, and what to do', () => {
  const old = asOld(tenMinutes)
  const ends = (changes: ModelChanges): string[] => sheetOf({ ...old, ...changes })
  assert.deepEqual(ends({ state: 'cancelled' }), [
    'Payment cancelled',
    'This payment was cancelled.',
    none,
    startAgain,
    ...end,
  ])
  assert.deepEqual(ends({ state: 'failed' }), [
    'Payment failed',
    'None of your attempts to pay went through.',
    none,
    startAgain,
    ...end,
  ])
  assert.deepEqual(ends({ state: 'expired' }), [
    'This payment link has expired',
    'It was valid until 16 November 2026, 14:05 UTC.',
    none,
    startAgain,
    ...end,
  ])
})

test('who paid after the payment had ended is told that the money goes back', () => {
  for (const state of ['cancelled', 'expired', 'failed'] as const)
    for (const attempt of ['surplus', 'returned', 'abandoned', 'left_open'] as const) {
      const lines = sheetOf({ state, attempt: { state: attempt }, isSentBack: true })
      assert.ok(
        lines.includes(
          'You paid after that. The money is being sent back to you, which can take a few days.',
        ),
      )
      assert.ok(!lines.includes(none))
    }
})

test('when no payment is possible the page says whether the amount is the reason', () => {
  const closed = (amountOutOfRange: boolean): string[] =>
    sheetOf({ state: 'pending', mode: 'live', page: { offered: { offers: [], amountOutOfRange } } })
  const shown = (why: string): string[] => [
    'Payment is not possible right now',
    why,
    none,
    'Ask Corner shop how to pay.',
    ...end,
  ]
  assert.deepEqual(closed(false), shown('Corner shop can’t take payments here yet.'))
  assert.deepEqual(closed(true), shown('Corner shop can’t take a payment of £1,234.50 here.'))
  // Out of range then, and cancelled since.
  const cancelled = sheetOf({ state: 'cancelled', page: { offered: { offers: [], amountOutOfRange: true } } })
  assert.equal(cancelled[1], 'This payment was cancelled.')
})

const refund = {
  id: 'rf_1',
  state: 'succeeded',
  amount_minor: 1_000n,
  currency: 'GBP',
  reason: null,
  updated_at: '2026-11-15T15:00:00.000000Z',
} as RefundRow

test('a receipt lists each completed refund, with its reason and its own receipt', () => {
  const refunds = [
    refund,
    { ...refund, id: 'rf_2', amount_minor: 2_000n, reason: 'Too small' },
    { ...refund, id: 'rf_3', state: 'failed' },
  ] as const
  const lines = sheetOf({ refunded_minor: 3_000n, page: { parts: [refundPart(refunds)] } })
  const at = '15 November 2026, 15:00 UTC'
  assert.deepEqual(lines.slice(lines.indexOf('Refund of £10.00'), lines.indexOf('Refund of £20.00') + 4), [
    'Refund of £10.00',
    at,
    'Refund receipt (PDF)',
    'Refund of £20.00',
    at,
    'Too small',
    'Refund receipt (PDF)',
  ])
  assert.equal(lines.filter((line) => line === 'Refund receipt (PDF)').length, 2)
  assert.equal(
    lines[3],
    '£30.00 of this payment has been sent back to you. It can take a few days to arrive.',
  )
  assert.equal(lines[lines.indexOf('Refunded') + 1], '£30.00')
  assert.doesNotMatch(bodyOf({ page: { parts: [refundPart([{ ...refund, state: 'failed' }])] } }), /rf_/)
})

test('a receipt without refunds has no refund list, and its banner says that no money was taken', () => {
  assert.equal(bodyOf().match(/<dl /g)?.length, 1)
  assert.equal(bodyOf({ page: { parts: [refundPart([refund])] } }).match(/<dl /g)?.length, 2)
  assert.match(bodyOf(), /<header class="test-banner">\s*<p>Test payment\. No money was taken\.<\/p>/)
})

test('a full refund is stated once, on a page of its own', () => {
  const [title, , , body, next] = sheetOf({ state: 'refunded', refunded_minor: 123_450n })
  assert.equal(title, 'Payment refunded')
  assert.equal(body, '£1,234.50 has been sent back to you. It can take a few days to arrive.')
  assert.equal(next, 'Paid to')
  assert.equal(sheetOf({ state: 'reversed' })[0], 'Payment reversed')
})

test('every link on an opened old receipt keeps it open, in the chosen language', () => {
  const refunds = [refund]
  const addresses = (page: ModelChanges['page']): string[] =>
    Array.from(
      bodyOf({ page: { parts: [refundPart(refunds)], ...page } }).matchAll(/href="([^"]*\.pdf[^"]*)"/g),
      ([, href = '']) => href,
    )
  assert.deepEqual(addresses({}), ['/payment/1/refund/rf_1/receipt.pdf', '/payment/1/receipt.pdf'])
  assert.deepEqual(addresses({ receiptProof: 'p' }), [
    '/payment/1/refund/rf_1/receipt.pdf?proof=p',
    '/payment/1/receipt.pdf?proof=p',
  ])
  assert.deepEqual(addresses({ receiptProof: 'p', isChosen: true }), [
    '/payment/1/refund/rf_1/receipt.pdf?lang=en&amp;proof=p',
    '/payment/1/receipt.pdf?lang=en&amp;proof=p',
  ])
  assert.match(bodyOf({ page: { receiptProof: 'p' } }), /href="\/payment\/1\/receipt\/p\?lang=fr"/)
  assert.match(bodyOf(), /href="\/payment\/1\?lang=fr"/)
})

test('a shop whose name can’t be typeset offers printing instead of a PDF', () => {
  assert.doesNotMatch(bodyOf({ merchant: '🪑' }), /receipt\.pdf/)
  assert.match(bodyOf({ merchant: '🪑' }), /id="print"/)
})
