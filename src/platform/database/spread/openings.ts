import type { Lease } from '../pool/connections.ts'
import type { Sql } from '../sql.ts'
import { changesRows, mayWrite } from './hold-writes.ts'
import { isInsertSelect } from './insert-by-value.ts'
import type { Nodes } from './nodes.ts'

// What a cluster wants of statements besides their words; nothing on a plain PostgreSQL.

export function mayChangeRows(nodes: Nodes, statements: readonly Sql[]): boolean {
  return !nodes.isKnownPlain && statements.some(changesRows)
}

/** Lets writes be held for a moment on a cluster (hold-writes.ts), and on a database that may be one. */
export function openingOf(nodes: Nodes, lease: Lease, writes: boolean): readonly Sql[] {
  return lease.opening(writes) ?? (writes && !nodes.isKnownPlain ? [mayWrite] : [])
}

/** Through the coordinator, for some statements (insert-by-value.ts). */
export function insertsByValue(nodes: Nodes, lease: Lease, statements: readonly Sql[]): boolean {
  return nodes.isKnownSpread && !lease.isAtNode && statements.some(isInsertSelect)
}
