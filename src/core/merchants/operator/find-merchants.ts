import type { Database } from '../../../platform/database/database.ts'
import { Query } from '../../../platform/input/fields.ts'
import { readPage, type CursorPosition } from '../../../platform/input/cursor.ts'
import type { MerchantRow } from '../store.ts'
import { findMerchants as listMerchants } from './merchants-look-store.ts'

// For operators: the list of merchants, without their business.

export const merchantStates = ['live', 'test', 'suspended'] as const
export type MerchantState = (typeof merchantStates)[number]

export type OperatedMerchant = {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly state: MerchantState
  readonly createdAt: string
  readonly suspendedAt: string | null
}

export type MerchantPage = {
  readonly merchants: readonly OperatedMerchant[]
  readonly nextCursor: string | null
}

/** `query`: q, state, cursor, limit. Newest first. */
export async function findMerchants(db: Database, query: unknown): Promise<MerchantPage> {
  const fields = new Query(query)
  const words = fields.text('q', { max: 100 })
  const given = fields.value('state')
  const state = merchantStates.find((one) => one === given)
  if (given !== undefined && !state) fields.fail('state', `must be one of ${merchantStates.join(', ')}`)
  const positionOf = ({ created_at: at, id }: MerchantRow): CursorPosition => ({ at, name: String(id) })
  const page = await readPage(fields, { names: /^\d{8}$/, positionOf }, async ({ after, limit }) =>
    listMerchants(db, {
      words,
      state,
      after: after && { createdAt: after.at, id: Number(after.name) },
      limit,
    }),
  )
  return { merchants: page.rows.map(operated), nextCursor: page.nextCursor }
}

export function operated(row: MerchantRow): OperatedMerchant {
  const state = row.suspended_at !== null ? 'suspended' : row.live_enabled ? 'live' : 'test'
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    state,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
  }
}
