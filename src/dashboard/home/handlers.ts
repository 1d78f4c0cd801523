import { Refusal } from '../../errors/refusals.ts'
import { readDailyTotals } from '../../payments/daily-totals/daily-totals.ts'
import { listTransactions } from '../../payments/list-payments.ts'
import type { Content, MemberAsk, Route } from '../ask.ts'
import { forAnyone, forMember, forPerson, go, show } from '../define-route.ts'
import { readMatters } from './attention.ts'
import { firstStepsPage, nowherePage } from './first-steps.ts'
import { homePage } from './page.ts'

const daysShown = 30
const latestShown = '8'

async function draw(ask: MemberAsk): Promise<Content> {
  const { merchant, mode } = ask.place
  const { db } = ask.people
  const of = { merchantId: merchant.id, mode }
  const [matters, { payments }, totals] = await Promise.all([
    readMatters(ask),
    listTransactions(db, of, { per_page: latestShown }),
    readDailyTotals(db, { ...of, days: daysShown, now: ask.people.now() }),
  ])
  if (payments.length === 0) return firstStepsPage(ask, matters)
  return homePage(ask, { matters, totals, latest: payments })
}

export const homeRoutes: readonly Route[] = [
  forPerson('GET', '', async (ask) => {
    const [first] = ask.own.merchants
    if (!first) return show(nowherePage(ask))
    const merchant = await ask.dashboard.findMerchant(first.id)
    const mode = merchant?.liveEnabled ? 'live' : 'test'
    // A notice goes with it: it is about what was done before.
    const answer = go(`${ask.dashboard.prefix}/dashboard/${first.id}/${mode}`)
    return ask.notice ? { ...answer, notice: ask.notice } : answer
  }),
  forMember('GET', '', 'home.view', async (ask) => show(await draw(ask)), {
    nav: { label: 'Home', order: 10 },
  }),
  forAnyone('GET', '/*', () => {
    throw new Refusal('not_found')
  }),
]
