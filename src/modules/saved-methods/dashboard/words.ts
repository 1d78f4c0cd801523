import { html, type Html } from '../../../platform/http/html.ts'
import type { MethodRow } from '../find-methods.ts'
import type { Ask, MemberAsk } from '../../../dashboard/ask.ts'
import { amount, pill } from '../../../dashboard/parts/lists.ts'
import { formatExactly, shopTime, type ShopTime } from '../../../dashboard/parts/parts.ts'
import { networkLabel } from '../../../dashboard/payments/words.ts'

// Words for saved methods.

export type Described = Pick<MethodRow, 'kind' | 'brand' | 'last4'>

/** Visa •••• 4242. */
export function nameOfSaved({ kind, brand, last4 }: Described): string {
  const name = brand ?? (kind === 'card' ? 'Card' : 'Direct debit')
  return last4 === null ? name : `${name} •••• ${last4}`
}

/** Visa •••• 4242, test network. */
export function describeSaved(ask: Pick<Ask, 'dashboard'>, method: MethodRow): string {
  return `${nameOfSaved(method)}, ${networkLabel(ask, method.connector)}`
}

export function methodPath({ place }: MemberAsk, id: string): string {
  return `${place.home}/saved-methods/${id}`
}

const agreements: Readonly<Record<MethodRow['agreement'], string>> = {
  recurring: 'Charges on a schedule',
  unscheduled: 'Charges when something is due',
}

export function describeAgreement(agreement: MethodRow['agreement']): string {
  return agreements[agreement]
}

/** 08/2029. */
export function describeExpiry({ expires }: Pick<MethodRow, 'expires'>): Html | string {
  return expires === null ? '' : html`<span class="figures">${expires.slice(5)}/${expires.slice(0, 4)}</span>`
}

export function describeLimit({ limit_minor, limit_currency }: MethodRow): Html | string {
  return limit_minor === null ? '' : amount(limit_minor, limit_currency)
}

const ends: Readonly<Record<NonNullable<MethodRow['ended_by']>, string>> = {
  merchant: 'You ended it',
  customer: 'The customer ended it',
  network: 'The bank or the network refused it for good',
  erasure: 'The customer was erased',
}

export function isWaiting({ retry_at }: MethodRow, now: Date): boolean {
  return retry_at !== null && Date.parse(retry_at) > now.getTime()
}

function hasExpired({ expires }: MethodRow, now: Date): boolean {
  return expires !== null && expires < now.toISOString().slice(0, 7)
}

/** Whether it can be charged now. */
export function methodPill(method: MethodRow, now: Date): Html {
  if (method.ended_at !== null) return pill('ended')
  if (isWaiting(method, now)) return pill('waiting', 'warn')
  return hasExpired(method, now) ? pill('expired', 'warn') : pill('usable', 'good')
}

/** Why it can't be charged now; undefined if it can. */
export function describeWhyNot(method: MethodRow, now: ShopTime): string | undefined {
  if (method.ended_by !== null) return ends[method.ended_by]
  if (isWaiting(method, now))
    return `Declined. It can be charged again after ${formatExactly(new Date(method.retry_at ?? ''), now)}`
  return hasExpired(method, now) ? 'Past its expiry date. The bank may still accept it' : undefined
}

/** With the reason beside it. */
export function standingOfMethod(ask: MemberAsk, method: MethodRow): Html {
  const now = shopTime(ask)
  const why = describeWhyNot(method, now)
  return html`${methodPill(method, now)} ${why !== undefined && html`<span class="quiet">${why}</span>`}`
}
