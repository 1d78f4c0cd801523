import { Refusal } from '../../platform/errors/refusals.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import { listTransactions } from '../../core/payments/list-payments.ts'
import type { Content, MemberAsk, PersonAsk, Route } from '../ask.ts'
import { forAnyone, forMember, forPerson, go, show, showLater } from '../define-route.ts'
import { readMatters } from './attention.ts'
import { firstStepsPage, isYoung, latestShown, nowherePage, partlyDownPage } from './first-steps.ts'
import { readParts, type DashboardPart } from '../slots.ts'
import { homePage } from './page.ts'
import { hasDismissed } from '../start/dismissed.ts'
import { isOver, readStart } from '../start/read-start.ts'

async function draw(ask: MemberAsk, all: readonly DashboardPart[]): Promise<Content> {
  const { merchant, mode } = ask.place
  const { db } = ask.core
  const of = { merchantId: merchant.id, mode }
  const [matters, { payments }, parts] = await Promise.all([
    readMatters(ask, all),
    listTransactions(db, of, { limit: String(latestShown) }),
    readParts(all, (part) => part.home?.(ask, all)),
  ])
  if (payments.length === 0) return firstStepsPage(ask, matters)
  const leadsToStart =
    isYoung(ask, payments.length) && !hasDismissed(ask, merchant.id) && !isOver(await readStart(ask))
  return homePage(ask, { matters, parts, latest: payments, leadsToStart })
}

/** No payments yet, and the first steps aren't dismissed. */
async function isNew(ask: PersonAsk, { id, liveEnabled }: Merchant): Promise<boolean> {
  if (liveEnabled || hasDismissed(ask, id)) return false
  const { payments } = await listTransactions(ask.core.db, { merchantId: id, mode: 'test' }, { limit: '1' })
  return payments.length === 0
}

export const homeRoutes = (parts: readonly DashboardPart[]): readonly Route[] => [
  forPerson('GET', '', async (ask) => {
    const [first] = ask.own.merchants
    if (!first) return ask.core.db.missed ? showLater(partlyDownPage()) : show(nowherePage(ask))
    const merchant = await ask.dashboard.findMerchant(first.id)
    const mode = merchant?.liveEnabled ? 'live' : 'test'
    const page = merchant && (await isNew(ask, merchant)) ? '/start' : ''
    // Keep the notice of the previous page.
    const answer = go(`${ask.dashboard.prefix}/dashboard/${first.id}/${mode}${page}`)
    return ask.notice ? { ...answer, notice: ask.notice } : answer
  }),
  forMember('GET', '', 'home.view', async (ask) => show(await draw(ask, parts)), {
    nav: { label: 'Home', order: 10 },
  }),
  forAnyone('GET', '/*', () => {
    throw new Refusal('not_found')
  }),
]
