import {
  inTransaction,
  makeOnce,
  type Database,
  type Queryable,
  type Transaction,
} from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { MadeBefore } from '../../../platform/errors/made-before.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct, type Actor, type Facts } from '../../audit/audit.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { pauseOne, unpauseReceiver } from '../ipn/receiver-store.ts'
import { resumeReceiver } from '../ipn/resume-receiver.ts'
import type { Outbox } from '../outbox.ts'
import type { Queue } from '../queues.ts'
import { withoutAddress, withoutAddresses } from '../receiver-of.ts'
import { pauseReceiver } from '../receivers/pause-receiver.ts'
import { resumeDeliveries } from '../schedule-store.ts'
import { drawEndpointSecret } from './endpoint-secrets.ts'
import {
  deleteEndpointRow,
  insertEndpoint,
  lockEndpoint,
  redirectDeliveries,
  skipDeliveries,
  updateEndpoint,
  type NewEndpoint,
  type Slots,
} from './endpoint-store.ts'
import {
  findEndpoint,
  listEndpoints,
  type Endpoint,
  type NamedEndpoint,
  type Scope,
} from './find-endpoints.ts'
import type { EndpointRequest } from './read-endpoint.ts'

// Endpoints get every payment of their mode. Pausing holds deliveries to their URL, as for a callback_url.

export type EndpointKeeping = { readonly db: Database; readonly secrets: Secrets; readonly outbox: Outbox }

export const endpointsMax = 10
const slots: Slots = { first: 1, last: endpointsMax }

export type CreatedEndpoint = Endpoint & { readonly secret: string }

export function drawEndpointId(): string {
  return `ep_${randomBase62(16)}`
}

/** The answer alone has the secret. `id`: for who asks for one endpoint and may ask twice. */
export async function createEndpoint(
  { db, secrets, outbox }: EndpointKeeping,
  of: Scope,
  request: EndpointRequest,
  by: Actor,
  { id = drawEndpointId(), now = new Date() }: { readonly id?: string; readonly now?: Date } = {},
): Promise<CreatedEndpoint> {
  return inTransaction(db, async (tx) => {
    const named = { ...of, id }
    await insertInFreeSlot(tx, { ...named, ...request, listensUntil: null }, slots)
    const secret = await drawEndpointSecret(secrets, tx, named)
    // Registering a URL as an endpoint resumes it, even if it was paused before.
    const queue = { ...of, origin: request.url }
    if (await unpauseReceiver(tx, queue)) await resumeDeliveries(tx, queue, now)
    outbox.notifyListeners(tx, queue)
    const after = { mode: of.mode, ...auditFacts(request) }
    await recordAct(tx, of.merchantId, by, { action: 'endpoint.created', subject: id, after })
    return { ...(await findEndpoint(tx, named)), secret }
  })
}

/** Two who take the last slot at once both see it free; the second finds the row of the first and looks again. */
export async function insertInFreeSlot(tx: Transaction, endpoint: NewEndpoint, among: Slots): Promise<void> {
  const count = among.last - among.first + 1
  for (let tries = 0; tries <= count; tries += 1) {
    if (await insertEndpoint(tx, endpoint, among)) return
    const known = await listEndpoints(tx, endpoint)
    if (known.some(({ id }) => id === endpoint.id)) throw new MadeBefore()
    const sameUrl = endpoint.url === '' ? undefined : known.find(({ url }) => url === endpoint.url)
    if (sameUrl)
      throw new Refusal(
        'endpoint_taken',
        `${sameUrl.id} already has this URL. Change or delete that one first`,
      )
    const isOfKind = ({ url }: Endpoint): boolean => (url === null) === (endpoint.url === '')
    if (known.filter(isOfKind).length >= count) break
  }
  throw new Refusal('too_many_endpoints')
}

export async function changeEndpoint(
  { db, outbox }: Omit<EndpointKeeping, 'secrets'>,
  of: NamedEndpoint,
  changes: Partial<EndpointRequest>,
  by: Actor,
  now: Date = new Date(),
): Promise<Endpoint> {
  const change = async (tx: Transaction): Promise<Endpoint> => {
    await lockEndpoint(tx, of)
    const before = await calledEndpoint(tx, of)
    const wanted = {
      url: changes.url ?? before.url,
      description: changes.description ?? before.description,
      events: changes.events === undefined ? storedEvents(before) : changes.events,
    }
    const isTaken = (await listEndpoints(tx, of)).some(({ id, url }) => id !== of.id && url === wanted.url)
    if (isTaken) throw new Refusal('endpoint_taken')
    await updateEndpoint(tx, of, wanted)
    if (wanted.url !== before.url) await moveTo(tx, of, before, wanted.url, now)
    outbox.notifyListeners(tx, { ...of, origin: wanted.url })
    await recordAct(tx, of.merchantId, by, {
      action: 'endpoint.changed',
      subject: of.id,
      before: auditFacts({ ...before, events: storedEvents(before) }),
      after: auditFacts(wanted),
    })
    return findEndpoint(tx, of)
  }
  // Two may take one URL at once.
  return makeOnce('endpoints_one_per_url', () => inTransaction(db, change)).catch((error: unknown) => {
    throw error instanceof MadeBefore ? new Refusal('endpoint_taken') : error
  })
}

/** Waiting deliveries go to the new URL, and a paused endpoint stays paused. */
async function moveTo(
  tx: Transaction,
  of: NamedEndpoint,
  before: Endpoint & { readonly url: string },
  to: string,
  now: Date,
): Promise<void> {
  const from = before.url
  if (before.status === 'paused') await pauseOne(tx, { ...of, origin: to }, now)
  await redirectDeliveries(tx, of, { from, to })
  if (before.status !== 'paused') return
  // A payment may have named the old URL as its callback_url.
  await unpauseReceiver(tx, { ...of, origin: from })
  await resumeDeliveries(tx, { ...of, origin: from }, now)
}

export async function deleteEndpoint(
  db: Database,
  of: NamedEndpoint,
  by: Actor,
  now: Date = new Date(),
): Promise<Endpoint> {
  return inTransaction(db, async (tx) => {
    await lockEndpoint(tx, of)
    const endpoint = await findEndpoint(tx, of)
    await skipDeliveries(tx, of, endpoint.url ?? '', now)
    await deleteEndpointRow(tx, of)
    if (endpoint.url !== null)
      await recordAct(tx, of.merchantId, by, {
        action: 'endpoint.deleted',
        subject: of.id,
        before: { mode: of.mode, url: withoutAddress(endpoint.url) },
      })
    return endpoint
  })
}

/** Nothing happens to one that is already paused. */
export async function pauseEndpoint(
  { db }: { readonly db: Database },
  of: NamedEndpoint,
  by: Actor,
  now: Date,
): Promise<Endpoint> {
  const { status, queue } = await calledEndpoint(db, of)
  if (status !== 'paused') await pauseReceiver(db, queue, by, now)
  return findEndpoint(db, of)
}

/** Waiting deliveries restart their schedule. */
export async function resumeEndpoint(
  keeping: { readonly db: Database; readonly outbox: Outbox },
  of: NamedEndpoint,
  by: Actor,
  now: Date,
): Promise<Endpoint> {
  const { status, queue } = await calledEndpoint(keeping.db, of)
  if (status === 'paused') await resumeReceiver(keeping, queue, by, now)
  return findEndpoint(keeping.db, of)
}

/** Not one that fetches its notifications: it isn't called. */
export async function calledEndpoint(
  db: Queryable,
  of: NamedEndpoint,
): Promise<Endpoint & { readonly url: string; readonly queue: Queue }> {
  const endpoint = await findEndpoint(db, of)
  const { url } = endpoint
  if (url === null)
    throw new Refusal(
      'not_found',
      'This endpoint belongs to a running florin listen: stop that command instead',
    )
  return { ...endpoint, url, queue: { merchantId: of.merchantId, mode: of.mode, origin: url } }
}

function storedEvents({ events }: Endpoint): readonly string[] | null {
  return events.includes('*') ? null : events
}

function auditFacts({ url, description, events }: EndpointRequest): Facts {
  const shown = { url: withoutAddress(url), description: withoutAddresses(description) }
  return { ...shown, events: events === null ? 'all' : events.join(' ') }
}
