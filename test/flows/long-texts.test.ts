import { test } from 'node:test'
import { hideInText } from '../../src/platform/http/log.ts'
import { containsCardNumber } from '../../src/platform/money/card-numbers.ts'
import { readPayment } from '../../src/core/payments/api/read-payment.ts'
import { hideInBody, hideInPath } from '../../src/modules/request-log/hide-in-body.ts'
import { assertLinear } from '../support/growth.ts'
import { paymentRequest } from '../support/payment-request.ts'

// One request may be 64 KiB long, and while it is read everybody waits.

test('looking for a card number takes time in proportion to the text', async () => {
  for (const [first, repeated] of [
    ['4242424242424 ', '-'],
    ['', '4 '],
    ['', '4242-'],
    ['', '12.50 '],
    ['', 'GB82 WEST 1234 5698 7654 '],
    ['', '15/11/2026 '],
    ['4242', '\u0664\u00ad'],
  ] as const)
    await assertLinear(`${first}${repeated}`, (length) => containsCardNumber(filled(first, repeated, length)))
})

test('noting a request takes time in proportion to it', async () => {
  for (const [first, repeated] of [
    ['4242424242424 ', '-'],
    ['@', '://:'],
    [`${'a'.repeat(64)}@`, 'b.'],
    ['', 'a@a.'],
    ['', 'sk_+'],
    ['', '4 '],
  ] as const) {
    const text = (length: number): string => filled(first, repeated, length)
    await assertLinear(`field ${first}${repeated}`, (length) => hideInBody({ zzz: text(length) }))
    await assertLinear(`name ${first}${repeated}`, (length) => hideInBody({ [text(length)]: 'a' }))
    await assertLinear(`log ${first}${repeated}`, (length) => hideInText(text(length)))
    await assertLinear(`path ${first}${repeated}`, (length) => hideInPath(`/${text(length)}`))
  }
})

const caller = { merchant: { id: 1, takes: ['GBP'] }, mode: 'test' }

test('reading a payment takes time in proportion to it', async () => {
  const read = (changes: Record<string, unknown>): unknown => {
    const body = paymentRequest(changes)
    try {
      return readPayment(body, caller as never, JSON.stringify(body))
    } catch {
      return undefined
    }
  }
  const spaced = (length: number): string => `${filled('a', ' ', length)}b`
  await assertLinear('description', (length) => read({ customization: { description: spaced(length) } }))
  await assertLinear('tx_ref', (length) => read({ tx_ref: spaced(length) }))
  await assertLinear('digits in tx_ref', (length) => read({ tx_ref: filled('', '4242 ', length) }))
  await assertLinear('digits in meta', (length) => read({ meta: { card: filled('', '4242 ', length) } }))
  await assertLinear('unknown names', (length) =>
    read({
      tx_ref: null,
      ...Object.fromEntries(Array.from({ length: length / 9 }, (_, at) => [`tx_re${at}`, 1])),
    }),
  )
})

function filled(first: string, repeated: string, length: number): string {
  return first + repeated.repeat((length - first.length) / repeated.length)
}
