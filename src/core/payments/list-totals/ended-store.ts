import { sql, type Sql } from '../../../platform/database/sql.ts'

// Payments by how and when they ended, for lists and sums of a period. The index payments_by_end has the time.

export type EndedFilter = {
  /** paid: whatever happened to the money later. unpaid: failed, cancelled or expired. */
  readonly group?: PaymentGroup | undefined
  /** When it was paid, or ended without being paid. */
  readonly endedFrom?: string | undefined
  readonly endedTo?: string | undefined
  /** When the bank took the money back. */
  readonly reversedFrom?: string | undefined
  readonly reversedTo?: string | undefined
  /** Why it was not paid. */
  readonly why?: string | undefined
}

export const paymentGroups = ['paid', 'unpaid'] as const
export type PaymentGroup = (typeof paymentGroups)[number]

const endedAt = sql`coalesce(payments.paid_at, payments.updated_at)`

const groupRules: Readonly<Record<PaymentGroup, Sql>> = {
  paid: sql`payments.state in ('success', 'refunded', 'reversed')`,
  unpaid: sql`payments.state in ('failed', 'cancelled', 'expired')`,
}

/**
 * A word for why a payment was not paid: what became of its last attempt. A decline has the reason of the decline,
 * `not_tried` had no attempt at all.
 */
export const whyOf = (merchantId: number): Sql => sql`
  case payments.state when 'cancelled' then 'cancelled' else coalesce((
    select case when attempts.state in ('declined', 'not_sent') or attempts.decline_reason = 'processing_error'
                then coalesce(attempts.decline_reason, 'declined') else 'given_up' end
    from attempts where attempts.merchant_id = ${merchantId} and attempts.number = payments.number
    order by attempts.attempt desc limit 1), 'not_tried') end`

export function endedRules(merchantId: number, filter: EndedFilter): Sql[] {
  const { group, endedFrom, endedTo, reversedFrom, reversedTo, why } = filter
  const rules: Sql[] = []
  if (group !== undefined) rules.push(groupRules[group])
  if (endedFrom !== undefined || endedTo !== undefined) rules.push(sql`payments.state <> 'pending'`)
  if (endedFrom !== undefined) rules.push(sql`${endedAt} >= ${endedFrom}`)
  if (endedTo !== undefined) rules.push(sql`${endedAt} < ${endedTo}`)
  if (reversedFrom !== undefined || reversedTo !== undefined)
    rules.push(sql`payments.state = 'reversed' and (
      select max(payment_history.at) from payment_history
      where payment_history.merchant_id = ${merchantId} and payment_history.number = payments.number
        and payment_history.attempt is null and payment_history.to_state = 'reversed'
      ) <@ tstzrange(${reversedFrom ?? null}::timestamptz, ${reversedTo ?? null}::timestamptz)`)
  if (why !== undefined) rules.push(sql`(${whyOf(merchantId)}) = ${why}`)
  return rules
}
