import type { FastifyRequest } from 'fastify'
import type { Transaction } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { insertEntry, type ActorKind } from './audit-store.ts'

// Who did what, written in the same transaction as the action, so neither exists without the other. Entries are never
// changed; the database refuses it. They hold no secrets: a key's id and name, never the key.

export type Actor = {
  readonly kind: ActorKind
  /** The id of the key or the person; user@machine; the part of Florin. */
  readonly name: string
  readonly address?: string
  readonly requestId?: string
}

/** Every action that is audited, so that readers of the log can search for it. */
export const auditActions = [
  'merchant.created',
  'merchant.changed',
  'merchant.currency_enabled',
  'merchant.currency_disabled',
  'merchant.fee_plan_changed',
  'merchant.suspended',
  'merchant.resumed',
  'merchant.demo_filled',
  'merchant.demo_removed',
  'key.created',
  'key.rolled',
  'key.revoked',
  'key.exposed',
  'account.added',
  'account.changed',
  'account.removed',
  'webhook_secret.rolled',
  'webhook_secret.shown',
  'secrets_key.rotated',
  'project.created',
  'project.renamed',
  'project.deleted',
  'link.created',
  'link.changed',
  'link.paused',
  'link.resumed',
  'payment.test_created',
  'payment.cancelled',
  'payment.note_added',
  'payment.note_deleted',
  'charge.accepted',
  'charge.sent_back',
  'charge.return_asked',
  'charge.marked_returned',
  'dispute.answered',
  'dispute.accepted',
  'payments.exported',
  'refund.requested',
  'saved_method.charged',
  'saved_method.ended',
  'saved_method.rules_changed',
  'notifications.resent',
  'customer.exported',
  'customer.erased',
  'notifications.test_sent',
  'receiver.paused',
  'receiver.resumed',
  'endpoint.created',
  'endpoint.changed',
  'endpoint.deleted',
  'endpoint.secret_rolled',
  'refunds.exported',
  'payout.exported',
  'payout.dealt_with',
  'bookkeeping.changed',
  'bookkeeping.exported',
  'bank_statement.matched',
  'person.signed_up',
  'person.signed_in',
  'person.signed_out',
  'person.sign_in_link_made',
  'person.password_changed',
  'person.email_changed',
  'person.renamed',
  'person.totp_on',
  'person.totp_off',
  'person.recovery_codes_drawn',
  'person.recovery_code_used',
  'person.passkey_added',
  'person.passkey_removed',
  'person.openid_linked',
  'person.openid_unlinked',
  'person.sessions_ended',
  'person.deleted',
  'team.invited',
  'team.invitation_withdrawn',
  'team.joined',
  'team.role_changed',
  'team.summary_changed',
  'team.removed',
  'team.left',
  'audit.exported',
] as const
export type AuditAction = (typeof auditActions)[number]

export type Act = {
  readonly action: AuditAction
  /** The subject: the id of a key, a tx_ref, the number of a merchant. */
  readonly subject: string
  readonly before?: Facts
  readonly after?: Facts
}

type Fact = string | number | boolean | null | readonly string[]
export type Facts = Readonly<Record<string, Fact>>

/** The owner of the installation's own entries. */
export const installation = 0

/** Florin did it by itself. */
export const bySystem: Actor = { kind: 'system', name: 'florin' }

export function byKey(keyId: string, request: Pick<FastifyRequest, 'ip' | 'id'>): Actor {
  return { kind: 'key', name: keyId, address: request.ip, requestId: request.id }
}

/** A customer, on a page of theirs. Without their address: entries are never changed, so it could not be erased. */
export function byCustomer(request: Pick<FastifyRequest, 'id'>): Actor {
  return { kind: 'system', name: 'customer', requestId: request.id }
}

/** One entry, there when `tx` is committed and gone when it is not. */
export async function recordAct(tx: Transaction, merchantId: number, by: Actor, act: Act): Promise<void> {
  await insertEntry(tx, {
    merchantId,
    id: `aud_${randomBase62(16)}`,
    actorKind: by.kind,
    actor: by.name,
    address: by.address ?? null,
    requestId: by.requestId ?? null,
    action: act.action,
    subject: act.subject,
    before: act.before ? JSON.stringify(act.before) : null,
    after: act.after ? JSON.stringify(act.after) : null,
  })
}

/** The facts that differ, from both sides; undefined if none do. */
export function changed(before: Facts, after: Facts): { before: Facts; after: Facts } | undefined {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) return undefined
  const only = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]))
  return { before: only(before), after: only(after) }
}
