import { inTransaction } from '../../database/database.ts'
import { installation, recordAct } from '../../merchants/audit/audit.ts'
import { listAudit, type EntryRow } from '../../merchants/audit/list-audit.ts'
import { makeCursor, readCursor, type Place } from '../../input/cursor.ts'
import { Query } from '../../input/fields.ts'
import { namesOf } from '../../people/find-person.ts'
import { byPerson } from '../../people/people.ts'
import { hasRight } from '../../people/rights.ts'
import type { Ask, Content, PersonAsk, Route } from '../ask.ts'
import { forMember, forOperator, show } from '../define-route.ts'
import { csvLine } from '../../http/csv/csv-line.ts'
import { auditPage, type AuditModel } from '../pages/audit.ts'
import { addressOf } from '../pages/lists.ts'

// The audit log of a merchant; that of the installation is for its operators.

const shownMax = 100
const exportedMax = 10_000

type Filter = AuditModel['filter']

function readFilter(get: (name: string) => string | undefined): Filter {
  const day = (text = ''): string =>
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
  return {
    what: /^[a-z_.]{0,40}$/.test(get('what') ?? '') ? (get('what') ?? '') : '',
    subject: (get('subject') ?? '').trim().slice(0, 300).replaceAll('\0', ''),
    since: day(get('since')),
    until: day(get('until')),
  }
}

const dayMs = 24 * 3_600_000

async function find(
  ask: Ask,
  merchantId: number,
  filter: Filter,
  limit: number,
  last?: Place,
): Promise<EntryRow[]> {
  const end = filter.until === '' ? undefined : new Date(Date.parse(filter.until) + dayMs).toISOString()
  return listAudit(ask.people.db, merchantId, {
    since: filter.since === '' ? undefined : filter.since,
    until: end,
    action: filter.what === '' ? undefined : filter.what,
    subject: filter.subject === '' ? undefined : filter.subject,
    after: last && { at: last.at, id: last.name },
    limit,
  })
}

async function draw(ask: PersonAsk, merchantId: number, path: string, mayExport: boolean): Promise<Content> {
  const filter = readFilter((name) => ask.query[name])
  const { cursor } = ask.query
  const fields = new Query({ cursor })
  const place = readCursor(fields, /^aud_\w{16}$/)
  fields.checkAll()
  const found = await find(ask, merchantId, filter, shownMax + 1, place)
  const entries = found.slice(0, shownMax)
  const last = found.length > shownMax ? entries.at(-1) : undefined
  const older = last && addressOf(path, { ...filter, cursor: makeCursor({ at: last.at, name: last.id }) })
  const newest = place && addressOf(path, filter)
  const names = await readNames(ask, entries)
  return auditPage(ask, { entries, names, filter, newest, older, mayExport, path })
}

async function readNames(ask: Ask, entries: readonly EntryRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = entries.flatMap(({ actor, subject }) => [actor, subject]).filter((id) => id.startsWith('per_'))
  return namesOf(ask.people, ids)
}

export const auditRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/audit',
    'audit.view',
    async (ask) => {
      const { merchant, home, role } = ask.place
      return show(await draw(ask, merchant.id, `${home}/audit`, hasRight(role, 'audit.export')))
    },
    { nav: { label: 'Audit log', order: 90, group: 'Settings' } },
  ),
  // Who takes the whole log away is written down in it.
  forMember('POST', '/audit/do/export', 'audit.export', async (ask) => {
    const { id } = ask.place.merchant
    const entries = await find(
      ask,
      id,
      readFilter((name) => ask.fields.get(name)),
      exportedMax,
    )
    const names = await readNames(ask, entries)
    await inTransaction(ask.people.db, async (tx) =>
      recordAct(tx, id, byPerson(ask.own.person.id, ask.visitor), {
        action: 'audit.exported',
        subject: String(id),
        after: { entries: entries.length },
      }),
    )
    const rows = entries.map((one) => [
      one.at,
      one.actor_kind,
      one.actor,
      names.get(one.actor) ?? '',
      one.address ?? '',
      one.request_id ?? '',
      one.action,
      one.subject,
      one.before === null ? '' : JSON.stringify(one.before),
      one.after === null ? '' : JSON.stringify(one.after),
    ])
    const head = [
      'at',
      'actor_kind',
      'actor',
      'name',
      'address',
      'request_id',
      'action',
      'subject',
      'before',
      'after',
    ]
    return {
      kind: 'file',
      type: 'text/csv; charset=utf-8',
      name: `audit-${id}.csv`,
      body: [head, ...rows].map((row) => csvLine(row)).join(''),
    }
  }),
  forOperator('GET', '/installation/audit', async (ask) =>
    show(await draw(ask, installation, `${ask.dashboard.prefix}/dashboard/installation/audit`, false)),
  ),
]
