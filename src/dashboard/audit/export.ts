import type { Cell } from '../../platform/http/csv/csv-line.ts'
import type { Csv } from '../../platform/http/csv/send-csv.ts'
import { listAudit, type EntryFilter, type EntryRow } from '../../core/audit/list-audit.ts'
import { readPages, type CursorPosition } from '../../platform/input/cursor.ts'
import { namesOf } from '../people/find-person.ts'
import type { People } from '../people/people.ts'

// The audit log as CSV: the entries that the page shows for the same filter, newest first.

export type AuditFilter = Omit<EntryFilter, 'after' | 'limit'>

const pageSize = 500

type Column = readonly [name: string, cell: (entry: EntryRow, names: ReadonlyMap<string, string>) => Cell]

const facts = (value: unknown): Cell => (value === null ? null : JSON.stringify(value))

const columns: readonly Column[] = [
  ['at', ({ at }) => ({ moment: at })],
  ['actor_kind', (entry) => entry.actor_kind],
  ['actor', ({ actor }) => actor],
  ['name', ({ actor }, names) => names.get(actor) ?? null],
  ['address', ({ address }) => address],
  ['request_id', (entry) => entry.request_id],
  ['action', ({ action }) => action],
  ['subject', ({ subject }) => subject],
  ['before', ({ before }) => facts(before)],
  ['after', ({ after }) => facts(after)],
]

export function exportAudit(
  people: People,
  merchantId: number,
  filter: AuditFilter,
): Pick<Csv, 'header' | 'pages'> {
  return { header: columns.map(([name]) => name), pages: linesOf(people, merchantId, filter) }
}

export function positionOf({ at, id: name }: EntryRow): CursorPosition {
  return { at, name }
}

async function* linesOf(people: People, merchantId: number, filter: AuditFilter): AsyncGenerator<Cell[][]> {
  const pages = readPages(pageSize, positionOf, async ({ after, limit }) =>
    listAudit(people.db, merchantId, {
      ...filter,
      after: after && { at: after.at, id: after.name },
      limit,
    }),
  )
  for await (const entries of pages) {
    const names = await readNames(people, entries)
    yield entries.map((entry) => columns.map(([, cell]) => cell(entry, names)))
  }
}

/** Names of the people who acted and of the people they changed. */
export async function readNames(
  people: People,
  entries: readonly EntryRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = entries.flatMap(({ actor, subject }) => [actor, subject]).filter((id) => id.startsWith('per_'))
  return namesOf(people, ids)
}
