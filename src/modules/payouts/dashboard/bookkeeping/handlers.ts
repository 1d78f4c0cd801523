import { listLeftOver, matchStatement } from '../../bank/match-statement.ts'
import {
  exportFormats,
  exportPeriod,
  needsOther,
  readNotBooked,
  sumPeriod,
  type ExportFormat,
  type Period,
} from '../../bookkeeping/export.ts'
import { listConnectors } from '../../bookkeeping/bookkeeping-store.ts'
import { missingForDatev, readBookkeeping } from '../../bookkeeping/settings.ts'
import { byPerson } from '../../../../dashboard/people/people.ts'
import type { Answer, MemberAsk, Route } from '../../../../dashboard/ask.ts'
import { forMember, orShowMistakes, show } from '../../../../dashboard/define-route.ts'
import { bankPage } from './bank-page.ts'
import { bookkeepingPage, type Booked } from './export-page.ts'
import { lastMonth } from './last-month.ts'

// For bookkeepers: what networks booked in a period, as a file; and which payouts the bank has confirmed.

const shownMax = 200
/** A month of a busy account. Larger files are for the command line. */
const statementBytesMax = 4 * 1024 * 1024

/** Defaults to last month. */
function periodIn({ place, core }: MemberAsk, given: (name: string) => string | undefined): Period {
  const { merchant, mode } = place
  const { timeZone } = merchant.brand
  const otherwise = lastMonth(core.now(), timeZone)
  return {
    merchantId: merchant.id,
    mode,
    timeZone,
    from: given('from') || otherwise.from,
    to: given('to') || otherwise.to,
    currency: (given('currency') ?? '').toUpperCase(),
  }
}

const nothing: Booked = { sums: [], missing: [], lacking: [] }

async function readPeriod({ core }: MemberAsk, period: Period): Promise<Booked> {
  const { merchantId, mode } = period
  const [sums, missing] = await Promise.all([sumPeriod(core.db, period), readNotBooked(core.db, period)])
  const settings = await readBookkeeping(core.db, merchantId)
  const reporting = new Set(await listConnectors(core.db, merchantId, mode))
  const pending = missing.flatMap(({ networks }) => networks.filter((name) => reporting.has(name)))
  const connectors = new Set([...sums.map(({ connector }) => connector), ...pending])
  return { sums, missing, lacking: missingForDatev(settings, connectors, needsOther(sums)) }
}

async function view(ask: MemberAsk): Promise<Answer> {
  const period = periodIn(ask, (name) => ask.query[name])
  return orShowMistakes(
    async () => show(bookkeepingPage(ask, period, await readPeriod(ask, period))),
    (mistakes) => bookkeepingPage(ask, period, nothing, mistakes),
  )
}

async function download(ask: MemberAsk): Promise<Answer> {
  const { core, own, visitor, fields } = ask
  const format: ExportFormat = exportFormats.find((name) => name === fields.get('format')) ?? 'csv'
  const period = periodIn(ask, (name) => fields.get(name))
  const by = byPerson(own.person.id, visitor)
  return orShowMistakes(
    async () => ({ kind: 'csv', csv: await exportPeriod(core.db, format, period, { by, now: core.now() }) }),
    async (mistakes) => {
      const isPeriod = mistakes['from'] === undefined && mistakes['to'] === undefined
      return bookkeepingPage(ask, period, isPeriod ? await readPeriod(ask, period) : nothing, mistakes)
    },
  )
}

const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })

async function match(ask: MemberAsk): Promise<Answer> {
  const { core, own, visitor, fields, files } = ask
  const file = files.get('file') ?? Buffer.alloc(0)
  const currency = fields.get('currency')
  const statement = { pieces: [file], ...(currency !== undefined && currency !== '' && { currency }) }
  return orShowMistakes(
    async () => {
      const result = await matchStatement(core.db, scopeOf(ask), statement, byPerson(own.person.id, visitor))
      return show(bankPage(ask, await listLeftOver(core.db, scopeOf(ask), shownMax), { result }))
    },
    async (mistakes) => bankPage(ask, await listLeftOver(core.db, scopeOf(ask), shownMax), { mistakes }),
  )
}

export const bookkeepingRoutes: readonly Route[] = [
  forMember('GET', '/bookkeeping', 'bookkeeping.view', view, { nav: { label: 'Bookkeeping', order: 29 } }),
  forMember('POST', '/bookkeeping/do/export', 'bookkeeping.export', download),
  forMember('GET', '/bookkeeping/bank', 'bookkeeping.view', async (ask) =>
    show(bankPage(ask, await listLeftOver(ask.core.db, scopeOf(ask), shownMax))),
  ),
  forMember('POST', '/bookkeeping/bank', 'bookkeeping.match', match, { takesFiles: statementBytesMax }),
]
