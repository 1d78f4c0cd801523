import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentIpnEvents } from '../../notifications/events.ts'
import { sampleTransaction } from '../sample-transaction.ts'
import { eventExample, paymentWebhooks, webhookHeaders } from './webhooks.ts'

type Told = {
  readonly status: string
  readonly amount: string
  readonly refunded?: string
  readonly dispute?: {
    readonly status: string
    readonly money_taken: boolean
    readonly evidence_due_at: string | null
  }
}

/** What an event changes of a payment. */
function saidOf({ status, amount, refunded, dispute }: Told): string {
  const words = [
    status,
    refunded === amount && 'refunded in full',
    dispute?.status,
    dispute?.money_taken && 'money taken',
    dispute?.evidence_due_at && 'evidence due',
  ]
  return words.filter(Boolean).join(', ')
}

const said: Readonly<Record<(typeof paymentIpnEvents)[number], string>> = {
  'payment.success': 'success',
  'payment.failed': 'failed',
  'payment.cancelled': 'cancelled',
  'payment.expired': 'expired',
  'payment.refunded': 'refunded, refunded in full',
  'payment.reversed': 'reversed',
  'dispute.opened': 'reversed, evidence_due, money taken, evidence due',
  'dispute.won': 'success, won',
  'dispute.lost': 'reversed, lost, money taken',
}

test('the documented sample of an event, and the one sent as a test, match the real one', () => {
  for (const event of paymentIpnEvents) {
    assert.equal(saidOf(eventExample(event) as Told), said[event], event)
    for (const mode of ['test', 'live'] as const) {
      const sent = JSON.parse(sampleTransaction(mode, event)) as Told & {
        mode: string
        checkout_url?: string
      }
      assert.deepEqual([saidOf(sent), sent.mode, sent.checkout_url], [said[event], mode, undefined], event)
    }
  }
})

test('every notification is documented with the headers that always come', () => {
  assert.deepEqual(
    webhookHeaders.map(({ name, in: place, required }) => [name, place, required]),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'signature'].map((name) => [
      name,
      'header',
      true,
    ]),
  )
  for (const { event, headers, example } of paymentWebhooks)
    assert.deepEqual([headers, example], [webhookHeaders, eventExample(event as 'payment.success')])
})
