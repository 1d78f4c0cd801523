import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail } from '../../../core/notifications/mail/compose-mail.ts'
import { payoutMails, type PayoutMail } from './payout-email.ts'

const failed: PayoutMail = {
  template: 'payout_failed',
  network: 'gocardless',
  amountMinor: '2000',
  differenceMinor: '0',
  currency: 'GBP',
  failure: 'returned_by_bank',
  wasThere: true,
  reference: 'PO0001',
  payoutId: 'po_1',
}

test('the e-mail about a refused payout names the network and the reason in words', () => {
  const context = {
    merchantName: 'Corner shop',
    isTest: false,
    at: '2026-11-18T09:12:33.000000Z',
    networkLabel: () => 'GoCardless',
  }
  const { subject, text } = composeMail(failed, context, [payoutMails])
  assert.equal(subject, 'Your bank sent a payout back (GoCardless)')
  assert.match(text, /Your bank sent the money back\./)
  assert.doesNotMatch(text, /returned_by_bank|gocardless/)
  const silent = composeMail({ ...failed, failure: null }, context, [payoutMails])
  assert.doesNotMatch(silent.text, /Reason/)
})
