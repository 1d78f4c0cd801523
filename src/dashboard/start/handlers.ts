import { Refusal } from '../../platform/errors/refusals.ts'
import { createKey } from '../../core/merchants/change-keys.ts'
import { createTestPayment } from '../../core/payments/support/test-payment.ts'
import { byPerson } from '../people/people.ts'
import type { MemberAsk, Route } from '../ask.ts'
import { forMember, go, show } from '../define-route.ts'
import { idIn, orMadeBefore } from '../once.ts'
import { dismissedWith } from './dismissed.ts'
import { startPage } from './page.ts'
import { readStart } from './read-start.ts'

// A shop's first steps, in test mode only.

const by = ({ own, visitor }: MemberAsk) => byPerson(own.person.id, visitor)

function onlyInTest({ place }: MemberAsk): void {
  if (place.mode !== 'test') throw new Refusal('not_found')
}

export const startRoutes: readonly Route[] = [
  forMember('GET', '/start', 'home.view', async (ask) =>
    ask.place.mode === 'test' ? show(startPage(ask, await readStart(ask))) : go(ask.place.home),
  ),
  forMember('POST', '/start/do/create', 'links.change', async (ask) => {
    onlyInTest(ask)
    const { core, dashboard, place, own } = ask
    const start = `${place.home}/start`
    const returnUrl = `${new URL(dashboard.baseUrl).origin}${start}`
    const txRef = ask.fields.get('tx_ref') ?? ''
    const asked = {
      merchant: place.merchant,
      email: own.person.email,
      returnUrl,
      ...(/^first-steps-[0-9a-f]{16}$/.test(txRef) && { txRef }),
    }
    await createTestPayment({ ...dashboard, db: core.db }, asked, by(ask))
    return { ...go(start), notice: 'test_payment_created' }
  }),
  forMember(
    'POST',
    '/start/do/key',
    'keys.change',
    async (ask) => {
      onlyInTest(ask)
      const { core, place } = ask
      const id = idIn(ask.fields, 'key')
      const request = { id, kind: 'secret', mode: 'test', name: 'First steps' } as const
      return orMadeBefore(
        async () => {
          const { key } = await createKey(core.db, place.merchant.id, request, by(ask))
          return show(startPage(ask, await readStart(ask), key))
        },
        { ...go(`${place.home}/start`), notice: 'key_shown_before_here' },
      )
    },
    { isFresh: true },
  ),
  forMember('POST', '/start/do/dismiss', 'home.view', (ask) => ({
    ...go(ask.place.home),
    hidesStart: dismissedWith(ask, ask.place.merchant.id),
  })),
]
