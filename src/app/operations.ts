import { disputeOperations } from '../modules/disputes/operations.ts'
import type { Operation } from '../platform/http/openapi/openapi.ts'
import { namesOf } from '../core/notifications/events.ts'
import { notificationOperations } from '../core/notifications/operations.ts'
import { paymentOperations } from '../core/payments/api/operations.ts'
import { payoutOperations } from '../modules/payouts/api/operations.ts'
import { projectOperations } from '../core/projects/operations.ts'
import { refundOperations } from '../modules/refunds/api/operations.ts'
import { savedMethodOperations } from '../modules/saved-methods/api/operations.ts'
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
