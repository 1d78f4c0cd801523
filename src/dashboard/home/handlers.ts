import { Refusal } from '../../errors/refusals.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { readBalances } from '../../payouts/read-balance.ts'
import { listTransactions } from '../../payments/list-payments.ts'
import type { Content, MemberAsk, PersonAsk, Route } from '../ask.ts'
import { forAnyone, forMember, forPerson, go, show, showLater } from '../define-route.ts'
import { readMatters } from './attention.ts'
import { firstStepsPage, isYoung, latestShown, nowherePage, partlyDownPage } from './first-steps.ts'
import { readPeriod } from '../parts/period.ts'
import { homePage } from './page.ts'
import { readFigures } from './read-figures.ts'
import { hasDismissed } from '../start/dismissed.ts'
import { isOver, readStart } from '../start/read-start.ts'

async function draw(ask: MemberAsk): Promise<Content> {
  const { merchant, mode } = ask.place
  const { db } = ask.core
  const of = { merchantId: merchant.id, mode }
  const period = readPeriod(ask.query, ask.core.now(), merchant.brand.timeZone)
  const [matters, { payments }, figures, balances] = await Promise.all([
    readMatters(ask),
    listTransactions(db, of, { limit: String(latestShown) }),
    readFigures(ask, period),
    readBalances(db, of, ask.core.now()),
  ])
  if (payments.length === 0) return firstStepsPage(ask, matters)
  const leadsToStart =
    isYoung(ask, payments.length) && !hasDismissed(ask, merchant.id) && !isOver(await readStart(ask))
  return homePage(ask, { matters, period, figures, balances, latest: payments, leadsToStart })
}

/** No payments yet, and the first steps aren't dismissed. */
async function isNew(ask: PersonAsk, { id, liveEnabled }: Merchant): Promise<boolean> {
  if (liveEnabled || hasDismissed(ask, id)) return false
  const { payments } = await listTransactions(ask.core.db, { merchantId: id, mode: 'test' }, { limit: '1' })
  return payments.length === 0
}

export const homeRoutes: readonly Route[] = [
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
  forMember('GET', '', 'home.view', async (ask) => show(await draw(ask)), {
    nav: { label: 'Home', order: 10 },
  }),
  forAnyone('GET', '/*', () => {
    throw new Refusal('not_found')
  }),
]
