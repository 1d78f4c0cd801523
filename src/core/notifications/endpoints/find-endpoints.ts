import type { Database, Queryable } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { createdPlace, readPage, type PageEnd } from '../../../platform/input/cursor.ts'
import { Query } from '../../../platform/input/fields.ts'
import type { Mode } from '../../merchants/mode.ts'
import {
  findEndpointRow,
  listEndpointRows,
  type EndpointRow,
  type NamedEndpoint,
  type Scope,
} from './endpoint-store.ts'

export type { NamedEndpoint, Scope }

export type EndpointStatus = 'active' | 'failing' | 'paused' | 'listening'

/** As the API shows it. */
export type Endpoint = {
  readonly id: string
  /** Null: a running `florin listen`, which fetches its notifications. */
  readonly url: string | null
  readonly description: string
  /** `*` alone: all events, also those that are added later. */
  readonly events: readonly string[]
  readonly mode: Mode
  readonly status: EndpointStatus
  readonly failing_since: string | null
  readonly paused_at: string | null
  readonly created_at: string
}

export const allEvents = '*'

const names = /^ep_[0-9A-Za-z]{16}$/

export function isEndpointId(text: string): boolean {
  return names.test(text)
}

/** Refuses with not_found, for another merchant's and the other mode's alike. */
export async function findEndpoint(db: Queryable, of: NamedEndpoint): Promise<Endpoint> {
  const row = isEndpointId(of.id) ? await findEndpointRow(db, of) : undefined
  if (!row) throw new Refusal('not_found', 'Endpoint not found')
  return present(row)
}

export type EndpointPage = PageEnd & { readonly endpoints: readonly Endpoint[] }

export async function browseEndpoints(db: Database, of: Scope, query: unknown): Promise<EndpointPage> {
  const fields = new Query(query)
  const { rows, ...end } = await readPage(
    fields,
    { names, positionOf: createdPlace },
    async ({ after, limit }) =>
      listEndpointRows(db, { ...of, after: after && { at: after.at, id: after.name }, limit }),
  )
  return { ...end, endpoints: rows.map(present) }
}

/** All of them, which is few; newest first. */
export async function listEndpoints(db: Queryable, of: Scope): Promise<Endpoint[]> {
  return (await listEndpointRows(db, { ...of, limit: 100 })).map(present)
}

function present(row: EndpointRow): Endpoint {
  const { id, url, description, events, mode, failing_since, paused_at, created_at } = row
  return {
    id,
    url: url === '' ? null : url,
    description,
    events: events ?? [allEvents],
    mode,
    status: statusOf(row),
    failing_since,
    paused_at,
    created_at,
  }
}

function statusOf({ url, failing_since, paused_at }: EndpointRow): EndpointStatus {
  if (url === '') return 'listening'
  if (paused_at !== null) return 'paused'
  return failing_since === null ? 'active' : 'failing'
}
