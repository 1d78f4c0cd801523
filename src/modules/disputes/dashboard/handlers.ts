import { historyOf } from '../find-dispute.ts'
import { disputesToAnswer, readDisputes } from '../list-disputes.ts'
import { disputeStates } from '../../../core/payments/disputed/dispute-view.ts'
import { repliesOf, whyNotAnswerable } from '../replies/answer-dispute.ts'
import { takesReplies } from '../replies/network-replies.ts'
import { namesOf } from '../../../dashboard/people/find-person.ts'
import type { Content, MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, show } from '../../../dashboard/define-route.ts'
import { choiceIn, given, textIn } from '../../../dashboard/list-filter.ts'
import { answerRoutes, disputeOf } from './answer-handlers.ts'
import { disputePage } from './dispute-page.ts'
import { disputesPage, views, type View } from './disputes-page.ts'

// A shop's disputes: when evidence is due, what to send and how.

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
  forMember('GET', '/disputes/:dispute', 'payments.view', async (ask) => show(await pageOf(ask))),
  ...answerRoutes,
]

async function pageOf(ask: MemberAsk): Promise<Content> {
  const { db, now } = ask.core
  const dispute = await disputeOf(ask)
  const [history, replies] = await Promise.all([
    historyOf(db, dispute),
    repliesOf(db, dispute.merchant_id, [dispute]),
  ])
  const names = await namesOf(
    ask.people,
    replies.map(({ actor }) => actor),
  )
  const network = ask.dashboard.live.networks.find(({ name }) => name === dispute.connector)
  const reason = whyNotAnswerable(dispute, replies, now())
  const answering = !takesReplies(ask.dashboard.paying, dispute.connector)
    ? 'at_network'
    : reason === undefined
      ? 'here'
      : { reason }
  return disputePage(ask, { dispute, history, network, replies, names, answering })
}
