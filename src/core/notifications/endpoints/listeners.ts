import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { Fields } from '../../../platform/input/fields.ts'
import { insertInFreeSlot, drawEndpointId } from './change-endpoints.ts'
import { deleteDeafListeners, renewListener, type NamedEndpoint, type Slots } from './endpoint-store.ts'
import { findEndpoint, type Endpoint } from './find-endpoints.ts'
import { recordAnswer } from './listener-store.ts'
import { readEvents } from './read-endpoint.ts'

// A running `florin listen` is a test endpoint that isn't called: it fetches its notifications and reports its
// receiver's answers. It lasts as long as it polls.

/** Longer than it waits for one answer (25 s) and forwards a notification (15 s). */
const listensForMs = 60_000
/** As in the table: separate slots, so that ten endpoints don't prevent listening. */
const slots: Slots = { first: 11, last: 15 }

export async function startListening(
  db: Database,
  merchantId: number,
  asked: { readonly body: unknown; readonly known: readonly string[] },
  now: Date,
): Promise<Endpoint> {
  const fields = new Fields(asked.body)
  const events = readEvents(fields, asked.known)
  fields.check()
  const named: NamedEndpoint = { merchantId, mode: 'test', id: drawEndpointId() }
  return inTransaction(db, async (tx) => {
    await deleteDeafListeners(tx, named)
    const endpoint = {
      ...named,
      url: '',
      description: 'florin listen',
      events,
      listensUntil: listensUntil(now),
    }
    await insertInFreeSlot(tx, endpoint, slots).catch((error: unknown) => {
      throw error instanceof Refusal && error.code === 'too_many_endpoints'
        ? new Refusal('too_many_endpoints', 'Five listeners are already running, the maximum: stop one first')
        : error
    })
    return findEndpoint(tx, named)
  })
}

function listensUntil(now: Date): Date {
  return new Date(now.getTime() + listensForMs)
}

export async function keepListening(db: Database, of: NamedEndpoint, now: Date): Promise<void> {
  if (!(await renewListener(db, of, listensUntil(now))))
    throw new Refusal('not_found', 'This listener has ended: start florin listen again')
}

/** The answer of a listener's receiver is stored as an attempt. */
export async function reportAnswer(
  db: Database,
  merchantId: number,
  body: unknown,
  now: Date,
): Promise<string> {
  const fields = new Fields(body)
  const endpointId = fields.requiredText('endpoint', { max: 60 }) ?? ''
  const id = fields.requiredText('id', { max: 60 }) ?? ''
  const status = fields.value('http_status') ?? null
  const ms = fields.value('ms') ?? 0
  if (status !== null && !isWhole(status, 999)) fields.fail('http_status', 'must be an HTTP status code')
  if (!isWhole(ms, 600_000)) fields.fail('ms', 'must be a whole number of milliseconds')
  const error = fields.text('error', { max: 100 }) ?? null
  fields.check()
  if (status === null && error === null) throw brokenRule('http_status', 'http_status or error is required')
  const told = { merchantId, endpointId, id, status: status as number | null, error, ms: ms as number }
  if (!(await recordAnswer(db, told, now))) throw new Refusal('not_found', 'Notification not found')
  // A slow receiver must not end the listener while many wait to be forwarded.
  await renewListener(db, { merchantId, mode: 'test', id: endpointId }, listensUntil(now))
  return id
}

function isWhole(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
}
