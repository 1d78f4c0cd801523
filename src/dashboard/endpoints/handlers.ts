import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { Fields } from '../../platform/input/fields.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  pauseEndpoint,
  resumeEndpoint,
} from '../../core/notifications/endpoints/change-endpoints.ts'
import { rollEndpointSecret } from '../../core/notifications/endpoints/endpoint-secrets.ts'
import {
  findEndpoint,
  listEndpoints,
  type Endpoint,
} from '../../core/notifications/endpoints/find-endpoints.ts'
import { readEndpoint, readEndpointChanges } from '../../core/notifications/endpoints/read-endpoint.ts'
import { testEndpoint } from '../../core/notifications/endpoints/test-endpoint.ts'
import { namesOf } from '../../core/notifications/events.ts'
import { readEvent } from '../../core/notifications/ipn/read-test.ts'
import { byPerson } from '../people/people.ts'
import type { MemberAsk, Route } from '../ask.ts'
import { forMember, go, orShowMistakes, show } from '../define-route.ts'
import { readOverlap } from '../keys/read-key.ts'
import { idIn, orMadeBefore } from '../once.ts'
import { bodyIn, editEndpointPage, newEndpointPage } from './endpoint-form.ts'
import { deletePage, endpointAt, endpointPage, rollSecretPage, secretPage } from './endpoint-page.ts'
import { endpointsAt, endpointsPage } from './endpoints-page.ts'

// Endpoints. Showing a secret asks for the password or a passkey again.

const fresh = { isFresh: true }
const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })
const actorOf = ({ own, visitor }: MemberAsk) => byPerson(own.person.id, visitor)
const namedIn = (ask: MemberAsk) => ({ ...scopeOf(ask), id: ask.params['endpoint'] ?? '' })

async function endpointOf(ask: MemberAsk): Promise<Endpoint> {
  return findEndpoint(ask.core.db, namedIn(ask))
}

/** Shows a duplicate URL or too many endpoints as a mistake in the field. */
async function byField<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    const isOfUrl =
      error instanceof Refusal && (error.code === 'endpoint_taken' || error.code === 'too_many_endpoints')
    throw isOfUrl ? brokenRule('url', error.message) : error
  })
}

const forms: readonly Route[] = [
  forMember(
    'GET',
    '/notifications/endpoints/new',
    'receivers.change',
    (ask) => show(newEndpointPage(ask)),
    fresh,
  ),
  forMember(
    'POST',
    '/notifications/endpoints/new',
    'receivers.change',
    (ask) =>
      orShowMistakes(
        () => {
          const id = idIn(ask.fields, 'ep')
          const made = { ...go(endpointAt(ask, id)), notice: 'endpoint_created' } as const
          return orMadeBefore(async () => {
            const request = readEndpoint(bodyIn(ask), ask.place.mode, namesOf(ask.dashboard.events))
            const { notifications } = ask.dashboard
            const created = await byField(() =>
              createEndpoint(notifications, scopeOf(ask), request, actorOf(ask), {
                id,
                now: notifications.now(),
              }),
            )
            return show(secretPage(ask, created))
          }, made)
        },
        (mistakes) => newEndpointPage(ask, mistakes),
      ),
    fresh,
  ),
  forMember('GET', '/notifications/endpoints/:endpoint/edit', 'receivers.change', async (ask) =>
    show(editEndpointPage(ask, await endpointOf(ask))),
  ),
  forMember('POST', '/notifications/endpoints/:endpoint/edit', 'receivers.change', async (ask) => {
    const endpoint = await endpointOf(ask)
    return orShowMistakes(
      async () => {
        const { notifications } = ask.dashboard
        const changes = readEndpointChanges(bodyIn(ask), ask.place.mode, namesOf(ask.dashboard.events))
        if (changes.url === undefined) throw brokenRule('url', 'url is required')
        await byField(() =>
          changeEndpoint(notifications, namedIn(ask), changes, actorOf(ask), notifications.now()),
        )
        return { ...go(endpointAt(ask, endpoint.id)), notice: 'endpoint_changed' }
      },
      (mistakes) =>
        editEndpointPage(ask, endpoint, bodyIn(ask) as Parameters<typeof editEndpointPage>[2], mistakes),
    )
  }),
]

const acts: readonly Route[] = [
  forMember('POST', '/notifications/endpoints/:endpoint/do/pause', 'receivers.change', async (ask) => {
    const { notifications } = ask.dashboard
    const { id } = await pauseEndpoint(notifications, namedIn(ask), actorOf(ask), notifications.now())
    return { ...go(endpointAt(ask, id)), notice: 'receiver_paused' }
  }),
  forMember('POST', '/notifications/endpoints/:endpoint/do/resume', 'receivers.change', async (ask) => {
    const { notifications } = ask.dashboard
    const { id } = await resumeEndpoint(notifications, namedIn(ask), actorOf(ask), notifications.now())
    return { ...go(endpointAt(ask, id)), notice: 'receiver_resumed' }
  }),
  forMember('POST', '/notifications/endpoints/:endpoint/do/test', 'receivers.change', async (ask) => {
    const { notifications, events } = ask.dashboard
    const event = readEvent(new Fields({}), events)
    const transactionJson = event.sample(ask.place.mode)
    const sample = { event: event.name, transactionJson, by: actorOf(ask) }
    const { id, delivered } = await testEndpoint(notifications.ipn, namedIn(ask), sample)
    const notice = delivered ? 'test_received' : 'test_not_received'
    return { ...go(`${ask.place.home}/notifications/sent/${id}`), notice }
  }),
  forMember(
    'GET',
    '/notifications/endpoints/:endpoint/roll',
    'receivers.change',
    async (ask) => show(rollSecretPage(ask, await endpointOf(ask))),
    fresh,
  ),
  forMember(
    'POST',
    '/notifications/endpoints/:endpoint/roll',
    'receivers.change',
    async (ask) => {
      const endpoint = await endpointOf(ask)
      return orShowMistakes(
        async () => {
          const { notifications } = ask.dashboard
          const overlap = readOverlap(ask.fields)
          const secret = await rollEndpointSecret(
            notifications,
            namedIn(ask),
            overlap,
            actorOf(ask),
            notifications.now(),
          )
          return show(secretPage(ask, { id: endpoint.id, secret }))
        },
        (mistakes) => rollSecretPage(ask, endpoint, mistakes),
      )
    },
    fresh,
  ),
  forMember('GET', '/notifications/endpoints/:endpoint/delete', 'receivers.change', async (ask) =>
    show(deletePage(ask, await endpointOf(ask))),
  ),
  forMember('POST', '/notifications/endpoints/:endpoint/delete', 'receivers.change', async (ask) => {
    await deleteEndpoint(ask.core.db, namedIn(ask), actorOf(ask), ask.dashboard.notifications.now())
    return { ...go(endpointsAt(ask)), notice: 'endpoint_deleted' }
  }),
]

export const endpointRoutes: readonly Route[] = [
  forMember('GET', '/notifications/endpoints', 'notifications.view', async (ask) =>
    show(endpointsPage(ask, await listEndpoints(ask.core.db, scopeOf(ask)))),
  ),
  ...forms,
  forMember('GET', '/notifications/endpoints/:endpoint', 'notifications.view', async (ask) =>
    show(endpointPage(ask, await endpointOf(ask))),
  ),
  ...acts,
]
