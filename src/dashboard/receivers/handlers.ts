import { readTest } from '../../core/notifications/ipn/read-test.ts'
import { resumeReceiver } from '../../core/notifications/ipn/resume-receiver.ts'
import { sendTestNotification } from '../../core/notifications/ipn/send-test.ts'
import { resendById, resendMany } from '../../core/notifications/bulk/resend-many.ts'
import { browseDeliveries, readDelivery } from '../../core/notifications/receivers/browse-deliveries.ts'
import { exactly } from '../../core/notifications/receiver-of.ts'
import { listReceivers, readReceiver } from '../../core/notifications/receivers/list-receivers.ts'
import { pauseReceiver } from '../../core/notifications/receivers/pause-receiver.ts'
import { txRefsOf } from '../../core/payments/support/search-payments.ts'
import { byPerson } from '../people/people.ts'
import type { Answer, MemberAsk, Route } from '../ask.ts'
import { forMember, go, orShowMistakes, show } from '../define-route.ts'
import { beginningOf, endingOf, given } from '../list-filter.ts'
import { deliveriesPage, deliveryFilterIn } from './deliveries-page.ts'
import { deliveryPage } from './delivery-page.ts'
import { pausePage, receiverPage, resendPage } from './receiver-page.ts'
import { receiversPage } from './receivers-page.ts'
import { testPage } from './test-page.ts'

// Receivers, and the notifications sent to them with every attempt.

/** Per click, so one request stays short. */
const resentMax = 10_000 // No test: it stops after about so many

const home = ({ place }: MemberAsk): string => `${place.home}/notifications`
const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })
const actorOf = ({ own, visitor }: MemberAsk) => byPerson(own.person.id, visitor)

/** Undefined if the text isn't a URL. */
function originIn(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}

/** Runs `work` for the named receiver, or goes to the list. */
async function withReceiver(
  ask: MemberAsk,
  named: string | undefined,
  work: (queue: ReturnType<typeof scopeOf> & { origin: string }) => Promise<Answer>,
): Promise<Answer> {
  const origin = originIn(named)
  return origin === undefined ? go(home(ask)) : work({ ...scopeOf(ask), origin })
}

function receiverAt(ask: MemberAsk, origin: string): string {
  return `${home(ask)}/receiver?${new URLSearchParams({ origin }).toString()}`
}

const receivers: readonly Route[] = [
  forMember(
    'GET',
    '/notifications',
    'notifications.view',
    async (ask) => show(receiversPage(ask, await listReceivers(ask.core.db, scopeOf(ask)))),
    { nav: { label: 'Notifications', order: 54, group: 'Developers' } },
  ),
  forMember('GET', '/notifications/receiver', 'notifications.view', (ask) =>
    withReceiver(ask, ask.query['origin'], async (queue) =>
      show(receiverPage(ask, await readReceiver(ask.core.db, queue))),
    ),
  ),
  forMember('GET', '/notifications/receiver/pause', 'receivers.change', (ask) =>
    withReceiver(ask, ask.query['origin'], async (queue) =>
      show(pausePage(ask, await readReceiver(ask.core.db, queue))),
    ),
  ),
  forMember('POST', '/notifications/receiver/pause', 'receivers.change', (ask) =>
    withReceiver(ask, ask.fields.get('origin'), async (queue) => {
      await readReceiver(ask.core.db, queue)
      await pauseReceiver(ask.core.db, queue, actorOf(ask), ask.core.now())
      return { ...go(receiverAt(ask, queue.origin)), notice: 'receiver_paused' }
    }),
  ),
  forMember('POST', '/notifications/receiver/do/resume', 'receivers.change', (ask) =>
    withReceiver(ask, ask.fields.get('origin'), async (queue) => {
      const { notifications } = ask.dashboard
      await resumeReceiver(notifications, queue, actorOf(ask), notifications.now())
      return { ...go(receiverAt(ask, queue.origin)), notice: 'receiver_resumed' }
    }),
  ),
  forMember('GET', '/notifications/receiver/resend', 'notifications.resend', (ask) =>
    withReceiver(ask, ask.query['origin'], async (queue) =>
      show(resendPage(ask, await readReceiver(ask.core.db, queue), resentMax)),
    ),
  ),
  forMember('POST', '/notifications/receiver/resend', 'notifications.resend', (ask) =>
    withReceiver(ask, ask.fields.get('origin'), async (queue) => {
      const { now } = ask.dashboard.notifications
      const filter = { ...scopeOf(ask), receiver: exactly(queue.origin), state: 'failed' } as const
      await resendMany(ask.core.db, filter, actorOf(ask), now(), resentMax)
      return { ...go(receiverAt(ask, queue.origin)), notice: 'notifications_resent' }
    }),
  ),
]

const samples: readonly Route[] = [
  forMember('GET', '/notifications/test', 'receivers.change', (ask) =>
    show(testPage(ask, { callback_url: originIn(ask.query['to']) === undefined ? '' : ask.query['to'] })),
  ),
  forMember('POST', '/notifications/test', 'receivers.change', (ask) => {
    const fields = Object.fromEntries(ask.fields)
    return orShowMistakes(
      async () => {
        const { target, event } = readTest(fields, ask.place.mode, ask.dashboard.events)
        const { id, verdict } = await sendTestNotification(ask.dashboard.notifications.ipn, {
          ...scopeOf(ask),
          event: event.name,
          target,
          transactionJson: event.sample(ask.place.mode),
          by: actorOf(ask),
        })
        const notice = verdict === 'delivered' ? 'test_received' : 'test_not_received'
        return { ...go(`${home(ask)}/sent/${id}`), notice }
      },
      (mistakes) => testPage(ask, fields, mistakes),
    )
  }),
]

const deliveries: readonly Route[] = [
  forMember('GET', '/notifications/sent', 'notifications.view', async (ask) => {
    const filter = deliveryFilterIn(ask)
    const { receiver, state, event, from, to } = filter
    const cursor = ask.query['cursor']
    const { timeZone } = ask.place.merchant.brand
    const query = given({
      receiver: originIn(receiver),
      state,
      event,
      created_from: beginningOf(from, timeZone),
      created_to: endingOf(to, timeZone),
      cursor,
    })
    const page = await browseDeliveries(ask.core.db, scopeOf(ask), query)
    const numbers = page.deliveries.flatMap(({ number }) => (number === null ? [] : [number]))
    const txRefs = await txRefsOf(ask.core.db, ask.place.merchant.id, numbers)
    return show(deliveriesPage(ask, { ...page, filter, txRefs, isFirst: cursor === undefined }))
  }),
  forMember('GET', '/notifications/sent/:delivery', 'notifications.view', async (ask) => {
    const of = { ...scopeOf(ask), id: ask.params['delivery'] ?? '' }
    return show(deliveryPage(ask, await readDelivery(ask.core.db, of)))
  }),
  forMember('POST', '/notifications/sent/:delivery/do/resend', 'notifications.resend', async (ask) => {
    const of = { ...scopeOf(ask), id: ask.params['delivery'] ?? '' }
    // Refuses e-mails and notifications of the other mode.
    const { id } = await readDelivery(ask.core.db, of)
    await resendById(ask.core.db, of, actorOf(ask), ask.dashboard.notifications.now())
    return { ...go(`${home(ask)}/sent/${id}`), notice: 'notification_resent' }
  }),
]

export const receiverRoutes: readonly Route[] = [...receivers, ...samples, ...deliveries]
