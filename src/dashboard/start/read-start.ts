import { listKeys } from '../../core/merchants/list.ts'
import { testReceiverUrl } from '../../core/notifications/test-receiver/address.ts'
import { readReceived, type Received } from '../../core/notifications/test-receiver/read-received.ts'
import type { PaymentRow } from '../../core/payments/checkout-view.ts'
import { listTransactions } from '../../core/payments/list-payments.ts'
import { wasPaid } from '../../core/payments/state-machine.ts'
import type { MemberAsk } from '../ask.ts'

// A shop's progress with its first steps, read from its data, not from clicks. Payments created by the shop's own code count
// too.

export type Start = {
  /** The newest payment created on this page, or else the newest paid one. */
  readonly payment: PaymentRow | undefined
  readonly received: readonly Received[]
  /** Including revoked keys. */
  readonly keyCount: number
  readonly isDone: Readonly<Record<Step, boolean>>
}

export const steps = ['create', 'pay', 'notice', 'call'] as const
export type Step = (typeof steps)[number]

/** A shop with more payments is past its first steps. */
const looked = '25'

export const isOver = ({ isDone }: Start): boolean => steps.every((step) => isDone[step])

export async function readStart({ core, place, dashboard }: MemberAsk): Promise<Start> {
  const { merchant } = place
  const { db } = core
  const [{ payments }, keys] = await Promise.all([
    listTransactions(db, { merchantId: merchant.id, mode: 'test' }, { limit: looked }),
    listKeys(db, merchant.id),
  ])
  const ours = testReceiverUrl(dashboard.baseUrl, merchant.id)
  const payment =
    payments.find(({ callback_url }) => callback_url === ours) ?? payments.find(wasPaid) ?? payments[0]
  const received = payment ? await readReceived(db, { merchantId: merchant.id, number: payment.number }) : []
  return {
    payment,
    received,
    keyCount: keys.length,
    isDone: {
      create: payment !== undefined,
      pay: payments.some(wasPaid),
      notice: received.some(({ state }) => state === 'delivered'),
      call: keys.some((key) => key.kind === 'secret' && key.mode === 'test' && key.last_used_at !== null),
    },
  }
}
