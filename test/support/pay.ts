import { inTransaction } from '../../src/platform/database/database.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { lockPayment } from '../../src/core/payments/store.ts'
import type { PaymentEvent } from '../../src/core/payments/state-machine.ts'
import { post, type House } from './house.ts'
import { paymentRequest } from './payment-request.ts'

/** Creates a payment by the API and returns its tx_ref and number. */
export async function createPayment(
  house: House,
  fields: Record<string, unknown> = {},
  key: string = house.secretKey,
): Promise<{ txRef: string; number: string; merchantId: number }> {
  const request = paymentRequest(fields)
  const answer = await post(`${house.url}/api/payment`, request, key)
  if (answer.status !== 201) throw new Error(`The payment was not created: ${answer.text}`)
  const digits = (answer.json.data as { checkout_url: string }).checkout_url.split('/').at(-1) ?? ''
  return { txRef: String(request['tx_ref']), merchantId: Number(digits.slice(0, 8)), number: digits.slice(8) }
}

/** What happens to a payment, as if its network had said so. */
export async function happens(
  house: House,
  payment: { merchantId: number; number: string },
  event: PaymentEvent,
): Promise<void> {
  const moved = await inTransaction(house.db, async (tx) => {
    const locked = await lockPayment(tx, payment)
    return locked && (await transition({ ...house.app.paying, baseUrl: house.url }, tx, locked, event)).moved
  })
  if (!moved) throw new Error(`${event} did not happen`)
}
