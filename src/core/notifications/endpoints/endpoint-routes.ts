import { Refusal } from '../../../platform/errors/refusals.ts'
import type { FastifyRequest } from 'fastify'
import { Fields, requireText } from '../../../platform/input/fields.ts'
import { pageBeside, success } from '../../../platform/http/envelope.ts'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { byKey } from '../../audit/audit.ts'
import type { Caller } from '../../merchants/authenticate.ts'
import type { Gate } from '../../merchants/gate.ts'
import { namesOf, type NotificationEvent } from '../events.ts'
import type { Notifications } from '../notifications.ts'
import { readEvent } from '../ipn/read-test.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  pauseEndpoint,
  resumeEndpoint,
} from './change-endpoints.ts'
import { rollEndpointSecret } from './endpoint-secrets.ts'
import { browseEndpoints, findEndpoint, type NamedEndpoint, isEndpointId } from './find-endpoints.ts'
import { readEndpoint, readEndpointChanges } from './read-endpoint.ts'
import { testEndpoint } from './test-endpoint.ts'

// Endpoints, for the program of a merchant. The key decides the mode.

export type EndpointRoutes = {
  readonly notifications: Notifications
  readonly missLimit: RateLimit
  readonly events: readonly NotificationEvent[]
}

type OneEndpoint = { Params: { id: string } }

const listPath = '/api/endpoints'
const onePath = `${listPath}/:id`

export function addEndpoints(server: Server, deps: EndpointRoutes, gate: Gate<Caller>): void {
  const asking = makeAsking(deps, gate)
  addKeeping(server, deps, gate, asking)
  addActs(server, deps, gate, asking)
}

type Asking = ReturnType<typeof makeAsking>

function makeAsking({ missLimit }: EndpointRoutes, gate: Gate<Caller>) {
  const scope = (request: FastifyRequest) => scopeOf(gate.callerOf(request))
  return {
    scope,
    actor: (request: FastifyRequest) => byKey(gate.callerOf(request).keyId, request),
    /** Whoever guesses at ids is slowed down. */
    withOne: async <T>(
      request: FastifyRequest<OneEndpoint>,
      work: (of: NamedEndpoint) => Promise<T>,
    ): Promise<T> => {
      const of = { ...scope(request), id: requireText('id', request.params.id) }
      return limitMisses(missLimit, gate.callerOf(request).keyId, async () => {
        if (!isEndpointId(of.id)) throw new Refusal('not_found', 'Endpoint not found')
        return work(of)
      })
    },
  }
}

function addKeeping(server: Server, deps: EndpointRoutes, gate: Gate<Caller>, asking: Asking): void {
  const { notifications } = deps
  const { db, now } = notifications
  const { scope, actor, withOne } = asking
  const known = namesOf(deps.events)
  const onRequest = gate.check

  server.get(listPath, { onRequest }, async (request) => {
    const page = await browseEndpoints(db, scope(request), request.query)
    return {
      ...success('Endpoints', page.endpoints),
      ...pageBeside(notifications.ipn.baseUrl, request.url, page),
    }
  })

  server.post(listPath, { onRequest }, async (request, reply) => {
    const asked = readEndpoint(request.body, gate.callerOf(request).mode, known)
    const made = await createEndpoint(notifications, scope(request), asked, actor(request), { now: now() })
    return reply.code(201).send(success('Endpoint created', made))
  })

  server.get<OneEndpoint>(onePath, { onRequest }, async (request) =>
    success('Endpoint details', await withOne(request, (of) => findEndpoint(db, of))),
  )

  server.patch<OneEndpoint>(onePath, { onRequest }, async (request) => {
    const changes = readEndpointChanges(request.body, gate.callerOf(request).mode, known)
    const changed = await withOne(request, (of) =>
      changeEndpoint(notifications, of, changes, actor(request), now()),
    )
    return success('Endpoint changed', changed)
  })

  server.delete<OneEndpoint>(onePath, { onRequest }, async (request) => {
    const { id } = await withOne(request, (of) => deleteEndpoint(db, of, actor(request), now()))
    return success('Endpoint deleted', { id, deleted: true })
  })
}

function addActs(server: Server, deps: EndpointRoutes, gate: Gate<Caller>, asking: Asking): void {
  const { notifications } = deps
  const { now } = notifications
  const { actor, withOne } = asking
  const onRequest = gate.check

  server.post<OneEndpoint>(`${onePath}/pause`, { onRequest }, async (request) =>
    success(
      'Endpoint paused',
      await withOne(request, (of) => pauseEndpoint(notifications, of, actor(request), now())),
    ),
  )

  server.post<OneEndpoint>(`${onePath}/resume`, { onRequest }, async (request) =>
    success(
      'Endpoint resumed',
      await withOne(request, (of) => resumeEndpoint(notifications, of, actor(request), now())),
    ),
  )

  server.post<OneEndpoint>(`${onePath}/roll-secret`, { onRequest }, async (request) => {
    const overlapHours = readOverlap(request.body)
    const secret = await withOne(request, (of) =>
      rollEndpointSecret(notifications, of, overlapHours, actor(request), now()),
    )
    return success('Secret rolled', { id: request.params.id, secret })
  })

  server.post<OneEndpoint>(`${onePath}/test`, { onRequest }, async (request) => {
    const event = readEvent(new Fields(request.body ?? {}), deps.events)
    const transactionJson = event.sample(gate.callerOf(request).mode)
    const sent = await withOne(request, (of) =>
      testEndpoint(notifications.ipn, of, { event: event.name, transactionJson }),
    )
    return success(sent.delivered ? 'Sample received' : 'Sample was not received', sent)
  })
}

function scopeOf({ merchant, mode }: Caller) {
  return { merchantId: merchant.id, mode }
}

const overlapDefault = 24

function readOverlap(body: unknown): number {
  const fields = new Fields(body ?? {})
  const value = fields.value('overlap_hours')
  fields.check()
  return value === undefined ? overlapDefault : typeof value === 'number' ? value : Number.NaN
}
