import { recordAct } from '../../../core/audit/audit.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import { bankEntriesOf } from '../bank/match-statement.ts'
import { lookNow } from '../ask/look-now.ts'
import { exportLines, findPayout, historyOf, readLines, readPayouts } from '../find-payouts.ts'
import { readBalances } from '../read-balance.ts'
import { dealWithPayout } from '../refused-payouts.ts'
import { payoutStates } from '../state-machine.ts'
import type { MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, show } from '../../../dashboard/define-route.ts'
import { choiceIn, given } from '../../../dashboard/list-filter.ts'
import { balancePage } from './balance-page.ts'
import { payoutPage } from './payout-page.ts'
import { payoutsPage } from './payouts-page.ts'

// What networks paid to the shop's bank, and what they still hold.

const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })

export const payoutRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/payouts',
    'payments.view',
    async (ask) => {
      const status = choiceIn(ask.query, 'status', payoutStates)
      const cursor = ask.query['cursor']
      const page = await readPayouts(ask.core.db, scopeOf(ask), given({ status, cursor }))
      const mayAsk = hasRight(ask.place.role, 'payments.export')
      return show(payoutsPage(ask, { ...page, status, isFirst: cursor === undefined, mayAsk }))
    },
    { nav: { label: 'Payouts', order: 27 } },
  ),
  forMember('POST', '/payouts/do/check', 'payments.export', async (ask) => {
    const unanswered = await lookNow(ask.dashboard.paying, scopeOf(ask))
    const notice = unanswered === 0 ? 'payouts_checked' : 'payouts_unanswered'
    return { ...go(`${ask.place.home}/payouts`), notice }
  }),
  forMember('GET', '/payouts/:payout', 'payments.view', async (ask) => {
    const { db } = ask.core
    const payout = await findPayout(db, { ...scopeOf(ask), id: ask.params['payout'] ?? '' })
    const cursor = ask.query['cursor']
    const { lines, nextCursor } = await readLines(db, payout, given({ cursor }))
    const history = await historyOf(db, payout)
    const atBank = await bankEntriesOf(db, payout)
    const mayExport = hasRight(ask.place.role, 'payments.export')
    const isFirst = cursor === undefined
    const mayDealWith = hasRight(ask.place.role, 'bookkeeping.match')
    const more = { nextCursor, isFirst, mayExport, mayDealWith }
    return show(payoutPage(ask, { payout, history, atBank, lines, ...more }))
  }),
  // Exports are recorded in the audit log.
  forMember('POST', '/payouts/:payout/do/export', 'payments.export', async (ask) => {
    const { db } = ask.core
    const payout = await findPayout(db, { ...scopeOf(ask), id: ask.params['payout'] ?? '' })
    await inTransaction(db, async (tx) =>
      recordAct(tx, payout.merchant_id, byPerson(ask.own.person.id, ask.visitor), {
        action: 'payout.exported',
        subject: payout.id,
        after: { mode: payout.mode },
      }),
    )
    return { kind: 'csv', csv: { ...exportLines(db, payout), filename: `payout-${payout.id}.csv` } }
  }),
  forMember('POST', '/payouts/:payout/do/deal-with', 'bookkeeping.match', async (ask) => {
    const { db, now } = ask.core
    const payout = await findPayout(db, { ...scopeOf(ask), id: ask.params['payout'] ?? '' })
    await dealWithPayout(db, payout, byPerson(ask.own.person.id, ask.visitor), now())
    return { ...go(`${ask.place.home}/payouts/${payout.id}`), notice: 'payout_dealt_with' }
  }),
  forMember(
    'GET',
    '/balance',
    'payments.view',
    async (ask) => show(balancePage(ask, await readBalances(ask.core.db, scopeOf(ask), ask.core.now()))),
    { nav: { label: 'Balance', order: 28 } },
  ),
]
