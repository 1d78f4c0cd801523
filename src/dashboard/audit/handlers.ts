import { shopTime } from '../parts/parts.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { installation, recordAct } from '../../core/audit/audit.ts'
import { listAudit } from '../../core/audit/list-audit.ts'
import { readPage } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { byPerson } from '../people/people.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk, PersonAsk, Route } from '../ask.ts'
import { forMember, forOperator, show } from '../define-route.ts'
import { beginningOf, endingOf, dayIn, given } from '../list-filter.ts'
import { auditPage, type AuditModel } from './page.ts'
import { addressOf } from '../parts/lists.ts'
import { exportAudit, positionOf, readNames, type AuditFilter } from './export.ts'

// A merchant's audit log, and the installation's for operators.

const shownMax = 100

type Filter = AuditModel['filter']

function readFilter(values: Readonly<Record<string, string>>): Filter {
  const what = values['what'] ?? ''
  return {
    what: /^[a-z_.]{0,40}$/.test(what) ? what : '',
    subject: (values['subject'] ?? '').trim().slice(0, 300).replaceAll('\0', ''),
    since: dayIn(values, 'since'),
    until: dayIn(values, 'until'),
  }
}

/** Empty filters are left out; the last day is included. */
function filterOf({ what, subject, since, until }: Filter, timeZone: string): AuditFilter {
  return {
    since: since === '' ? undefined : beginningOf(since, timeZone),
    until: until === '' ? undefined : endingOf(until, timeZone),
    action: what === '' ? undefined : what,
    subject: subject === '' ? undefined : subject,
  }
}

async function draw(ask: PersonAsk, merchantId: number, path: string, mayExport: boolean): Promise<Content> {
  const filter = readFilter(ask.query)
  const { cursor } = ask.query
  const fields = new Query({ cursor })
  const { rows: entries, nextCursor } = await readPage(
    fields,
    { names: /^aud_\w{16}$/, positionOf, limit: shownMax },
    async ({ after, limit }) =>
      listAudit(ask.core.db, merchantId, {
        ...filterOf(filter, shopTime(ask).timeZone),
        after: after && { at: after.at, id: after.name },
        limit,
      }),
  )
  const older = nextCursor === null ? undefined : addressOf(path, { ...filter, cursor: nextCursor })
  const newest = cursor === undefined ? undefined : addressOf(path, filter)
  const names = await readNames(ask.people, entries)
  return auditPage(ask, { entries, names, filter, newest, older, mayExport, path })
}

async function takeAway({ core, place, fields, own, visitor }: MemberAsk): Promise<AuditFilter> {
  const { id } = place.merchant
  const filter = readFilter(Object.fromEntries(fields))
  await inTransaction(core.db, async (tx) =>
    recordAct(tx, id, byPerson(own.person.id, visitor), {
      action: 'audit.exported',
      subject: String(id),
      after: given(filter),
    }),
  )
  return filterOf(filter, place.merchant.brand.timeZone)
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
  // The export is recorded in the log before the first row is read.
  forMember('POST', '/audit/do/export', 'audit.export', async (ask) => {
    const { id } = ask.place.merchant
    const csv = exportAudit(ask.people, id, await takeAway(ask))
    return { kind: 'csv', csv: { ...csv, filename: `audit-${id}.csv` } }
  }),
  forOperator('GET', '/installation/audit', async (ask) =>
    show(await draw(ask, installation, `${ask.dashboard.prefix}/dashboard/installation/audit`, false)),
  ),
]
