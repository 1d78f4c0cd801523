import type { Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { makeCursor, readCursor } from '../../../platform/input/cursor.ts'
import { Query } from '../../../platform/input/fields.ts'
import { deliveryStates } from '../bulk/delivery-filter.ts'
import { receiversMeant, type MeantReceivers } from '../receiver-of.ts'
import { listAttempts, type AttemptRecord } from '../record-store.ts'
import {
  findLastLooked,
  findWhole,
  listDeliveries,
  type ListedDelivery,
  type WholeDelivery,
} from './deliveries-store.ts'
import type { Scope } from './receivers-store.ts'

export type { ListedDelivery, WholeDelivery }

// Notifications for people to browse: what was sent, where, and the answer.

export const deliveryNames = /^[0-9A-Za-z_.-]{1,60}$/

const perPage = 25
/** Rows that one page may read: some milliseconds, whatever is looked for. */
const lookedMax = 5_000

export type DeliveryPage = {
  readonly deliveries: readonly ListedDelivery[]
  /** There may be older ones. */
  readonly nextCursor: string | undefined
  /** Fewer than a page were found among the rows that one page may read. */
  readonly isCutShort: boolean
}

/** Takes receiver, state, event, created_from, created_to and cursor. */
export async function browseDeliveries(
  db: Database,
  of: Scope,
  query: unknown,
  looked: number = lookedMax,
): Promise<DeliveryPage> {
  const fields = new Query(query)
  const place = readCursor(fields, deliveryNames)
  const given = fields.text('state', { max: 20 })
  const state = deliveryStates.find((one) => one === given)
  if (given !== undefined && state === undefined)
    fields.fail('state', `must be one of ${deliveryStates.join(', ')}`)
  const filter = {
    ...of,
    state,
    event: fields.text('event', { max: 100 }),
    receiver: readReceiver(fields),
    createdFrom: fields.time('created_from'),
    createdTo: fields.time('created_to'),
    after: place && { at: place.at, id: place.name },
  }
  fields.checkAll()
  const found = await listDeliveries(db, filter, looked, perPage + 1)
  const deliveries = found.slice(0, perPage)
  const last = deliveries.at(-1)
  if (found.length > perPage && last) {
    const nextCursor = makeCursor({ at: last.created_at, name: last.id })
    return { deliveries, nextCursor, isCutShort: false }
  }
  const end = await findLastLooked(db, filter, looked)
  return {
    deliveries,
    nextCursor: end && makeCursor({ at: end.at, name: end.id }),
    isCutShort: end !== undefined,
  }
}

/** By its own name, which the page of a receiver links with, or by any URL of it. */
function readReceiver(fields: Query): MeantReceivers | undefined {
  const text = fields.text('receiver', { max: 2_048 })
  if (text === undefined) return undefined
  const meant = URL.canParse(text) ? receiversMeant(text) : { names: [], below: null }
  return { ...meant, names: [...new Set([text, ...meant.names])] }
}

export type DeliveryInFull = WholeDelivery & { readonly attempts: readonly AttemptRecord[] }

/** Refuses with not_found, for another merchant's, the other mode's and a mail alike. */
export async function readDelivery(db: Database, of: Scope & { id: string }): Promise<DeliveryInFull> {
  const found = deliveryNames.test(of.id) ? await findWhole(db, of) : undefined
  if (!found) throw new Refusal('not_found', 'Notification not found')
  const attempts = await listAttempts(db, { merchantId: of.merchantId, ids: [of.id] })
  return { ...found, attempts: attempts.map(withoutDelivery) }
}

function withoutDelivery({ attempt, at, ms, status, error, answer }: AttemptRecord): AttemptRecord {
  return { attempt, at, ms, status, error, answer }
}
