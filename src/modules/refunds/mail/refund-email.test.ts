import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail } from '../../../core/notifications/mail/compose-mail.ts'
import { refundMails, type RefundFailedMail } from './refund-email.ts'

const failed: RefundFailedMail = {
  template: 'refund_failed',
  cameBack: false,
  failure: 'insufficient_funds',
  amountMinor: '123450',
  currency: 'GBP',
  refundRef: 'return-77',
  reference: 'FL23456789ABCD',
  txRef: 'order-1',
}
const context = { merchantName: 'Corner shop', isTest: false, at: '2026-11-18T09:12:33.000000Z' }
const written = (facts: RefundFailedMail): string =>
  composeMail(facts, context, [refundMails]).text.replaceAll(/\s+/g, ' ')

test('the e-mail about a failed refund says where the money is and what to do', () => {
  assert.equal(composeMail(failed, context, [refundMails]).subject, 'A refund failed: order-1')
  const text = written(failed)
  for (const fact of [
    'did not refund £1,234.50',
    'You still have the money',
    'Your balance at the network did not cover it.',
    'a new refund_ref',
    'return-77',
    'FL23456789ABCD',
  ])
    assert.ok(text.includes(fact), fact)
})

test('the e-mail says when a refund bounced days later, and that the customer was told before', () => {
  const back = { ...failed, cameBack: true, failure: 'lost_or_stolen_card' }
  assert.equal(composeMail(back, context, [refundMails]).subject, 'A refund came back: order-1')
  assert.match(written(back), /customer’s bank returned the money.*already told.*bank transfer/)
})

test('a refund that never reached the network can be tried again', () => {
  assert.match(written({ ...failed, failure: 'never_arrived' }), /never received the refund.*new refund_ref/)
})
