import { inTransaction } from '../../src/database/database.ts'
import { transition } from '../../src/payments/transition.ts'
import type { PaymentEvent } from '../../src/payments/state-machine.ts'
import { post, type House } from './house.ts'

let count = 0

/** Creates a payment by the API and returns its tx_ref and number. */
export async function createPayment(
  house: House,
  fields: Record<string, unknown> = {},
  key: string = house.secretKey,
): Promise<{ txRef: string; number: string; merchantId: number }> {
  count += 1
  const txRef = `order-${process.pid}-${count}`
  const answer = await post(
    `${house.url}/api/payment`,
    {
      tx_ref: txRef,
      amount: '1234.50',
      currency: 'GBP',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      ...fields,
    },
    key,
  )
  if (answer.status !== 201) throw new Error(`The payment was not created: ${answer.text}`)
  const digits = (answer.json.data as { checkout_url: string }).checkout_url.split('/').at(-1) ?? ''
  return { txRef, merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
}

/** What happens to a payment, as if its network had said so. */
export async function happens(
  house: House,
  payment: { merchantId: number; number: string },
  event: PaymentEvent,
): Promise<void> {
  const { moved } = await inTransaction(house.db, (tx) => transition(tx, payment, event, house.url))
  if (!moved) throw new Error(`${event} did not happen`)
}
