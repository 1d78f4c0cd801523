import { findDispute, historyOf } from '../../disputes/find-dispute.ts'
import { disputesToAnswer, readDisputes } from '../../disputes/list-disputes.ts'
import { disputeStates } from '../../payments/disputed/dispute-view.ts'
import type { Route } from '../ask.ts'
import { forMember, show } from '../define-route.ts'
import { choiceIn, given, textIn } from '../list-filter.ts'
import { disputePage } from './dispute-page.ts'
import { disputesPage, views, type View } from './disputes-page.ts'

// A shop's disputes: when evidence is due and what to send. Evidence goes to the network.

const toAnswerMax = 100

export const disputeRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/disputes',
    'payments.view',
    async (ask) => {
      const { merchant, mode } = ask.place
      const of = { merchantId: merchant.id, mode }
      const txRef = textIn(ask.query, 'q', 255)
      const view: View = txRef === '' ? choiceIn(ask.query, 'show', views) || 'to_answer' : 'all'
      if (view === 'to_answer') {
        const disputes = await disputesToAnswer(ask.core.db, of, toAnswerMax)
        return show(disputesPage(ask, { disputes, view, txRef, nextCursor: null, isFirst: true }))
      }
      const cursor = ask.query['cursor']
      const status = disputeStates.find((one) => one === view)
      const page = await readDisputes(ask.core.db, of, given({ status, tx_ref: txRef, cursor }))
      return show(disputesPage(ask, { ...page, view, txRef, isFirst: cursor === undefined }))
    },
    { nav: { label: 'Disputes', order: 26 } },
  ),
  forMember('GET', '/disputes/:dispute', 'payments.view', async (ask) => {
    const { merchant, mode } = ask.place
    const id = ask.params['dispute'] ?? ''
    const dispute = await findDispute(ask.core.db, { merchantId: merchant.id, mode, id })
    const history = await historyOf(ask.core.db, dispute)
    const network = ask.dashboard.live.networks.find(({ name }) => name === dispute.connector)
    return show(disputePage(ask, { dispute, history, network }))
  }),
]
