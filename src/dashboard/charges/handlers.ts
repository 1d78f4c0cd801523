import {
  acceptHeld,
  askAgainForSurplus,
  markReturned,
  sendBackHeld,
} from '../../core/payments/attempts/hosted/held.ts'
import { readStory } from '../../core/payments/support/payment-story.ts'
import { byPerson } from '../people/people.ts'
import type { Answer, MemberAsk, Route } from '../ask.ts'
import { forMember, go, show } from '../define-route.ts'
import type { NoticeName } from '../notices.ts'
import { chargePage, openCharge } from './charge-page.ts'
import { paymentPath } from '../payments/filter.ts'
import { keyOf, orSayWhyNot, paymentOf } from '../payments/payment-of.ts'

// What happens to a charge that the rules don't decide. Two people who decide at once: the first one counts.

const fresh = { isFresh: true }

type Decide = (ask: MemberAsk, decision: Parameters<typeof sendBackHeld>[1]) => Promise<boolean>

const decisions: Readonly<Record<string, readonly [decide: Decide, notice: NoticeName]>> = {
  accept: [async ({ dashboard }, decision) => acceptHeld(dashboard.paying, decision), 'charge_accepted'],
  'send-back': [
    async ({ dashboard }, decision) => sendBackHeld(dashboard.paying, decision),
    'charge_sent_back',
  ],
  return: [async ({ core }, decision) => askAgainForSurplus(core.db, decision), 'charge_sent_back'],
  returned: [async ({ dashboard }, decision) => markReturned(dashboard.paying, decision), 'charge_returned'],
}

async function decide(ask: MemberAsk, name: string): Promise<Answer> {
  const payment = await paymentOf(ask)
  const [act, notice] = decisions[name] ?? []
  const attempt = Number(ask.fields.get('attempt'))
  return orSayWhyNot(
    async () => {
      const by = byPerson(ask.own.person.id, ask.visitor)
      const key = { ...keyOf(payment), attempt: Number.isSafeInteger(attempt) ? attempt : 0 }
      const isDone = await act?.(ask, { key, by, at: ask.core.now() })
      return { ...go(paymentPath(ask, payment)), notice: isDone && notice ? notice : 'charge_decided_before' }
    },
    async (mistakes) => {
      const { attempts } = await readStory(ask.core.db, keyOf(payment))
      return chargePage(ask, { payment, charge: openCharge(attempts) }, mistakes)
    },
  )
}

export const chargeRoutes: readonly Route[] = [
  forMember(
    'GET',
    '/payments/:number/charge',
    'payments.refund',
    async (ask) => {
      const payment = await paymentOf(ask)
      const { attempts } = await readStory(ask.core.db, keyOf(payment))
      return show(chargePage(ask, { payment, charge: openCharge(attempts) }))
    },
    fresh,
  ),
  ...Object.keys(decisions).map((name) =>
    forMember(
      'POST',
      `/payments/:number/charge/do/${name}`,
      'payments.refund',
      async (ask) => decide(ask, name),
      fresh,
    ),
  ),
]
