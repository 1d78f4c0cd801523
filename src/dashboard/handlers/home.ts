import { Refusal } from '../../errors/refusals.ts'
import { listMerchants } from '../../merchants/list.ts'
import type { Route } from '../ask.ts'
import { forAnyone, forMember, forOperator, forPerson, go, show } from '../define-route.ts'
import { homePage, installationPage, nowherePage } from '../pages/home.ts'

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
  forMember('GET', '', 'home.view', (ask) => show(homePage(ask)), { nav: { label: 'Home', order: 10 } }),
  forOperator('GET', '/installation', async (ask) =>
    show(installationPage(ask, await listMerchants(ask.people.db))),
  ),
  forAnyone('GET', '/*', () => {
    throw new Refusal('not_found')
  }),
]
