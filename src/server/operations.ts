import { disputeOperations } from '../disputes/operations.ts'
import type { Operation } from '../http/openapi/openapi.ts'
import { namesOf } from '../notifications/events.ts'
import { notificationOperations } from '../notifications/operations.ts'
import { paymentOperations } from '../payments/api/operations.ts'
import { payoutOperations } from '../payouts/api/operations.ts'
import { projectOperations } from '../projects/operations.ts'
import { refundOperations } from '../refunds/api/operations.ts'
import { savedMethodOperations } from '../saved-methods/api/operations.ts'
import { events } from './modules.ts'

/** Every operation of the API, as /openapi.json describes it. */
export function allOperations(seoUrl: string): readonly Operation[] {
  return [
    ...paymentOperations,
    ...refundOperations,
    ...savedMethodOperations,
    ...disputeOperations,
    ...payoutOperations,
    ...notificationOperations(namesOf(events)),
    ...projectOperations(seoUrl),
  ]
}
