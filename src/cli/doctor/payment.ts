import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/errors/refusals.ts'
import { callApi, type Api } from '../reach/call-api.ts'
import { create, type Asked, type Payment } from '../trigger/customer.ts'
import { startOf, type Answered } from './answered.ts'

// The test payment that a plugin is checked with.

export type Unpaid = Payment & {
  readonly amount: string
  readonly currency: string
  /** Made by doctor under a reference of its own: the shop can't have an order for it. */
  readonly isOrphan: boolean
  readonly isFamily: boolean
}

type Shown = {
  readonly status: string
  readonly amount: string
  readonly currency: string
  readonly checkout_url?: string
}

/** Undefined if there is none with this reference. The list is asked, as it is the same for every dialect. */
export async function findPayment(api: Api, txRef: string | undefined): Promise<Unpaid | undefined> {
  if (txRef === undefined) return undefined
  const [found] = (await callApi(api, `/api/transactions?tx_ref=${encodeURIComponent(txRef)}`)) as Shown[]
  if (found === undefined) return undefined
  const { status, amount, currency, checkout_url: page } = found
  if (page === undefined)
    throw new Refusal('unavailable', `The payment ${txRef} is ${status}: take one that nobody has paid yet`)
  const isFamily = await readIsFamily(api)
  return { txRef, page, key: api.key, amount, currency, isOrphan: false, isFamily }
}

export async function makePayment(api: Api, asked: Asked): Promise<Unpaid> {
  const payment = await create(api, 'doctor', asked)
  const { amount, currency = 'GBP' } = asked
  const isFamily = await readIsFamily(api)
  return { ...payment, amount, currency, isOrphan: asked.txRef === undefined, isFamily }
}

async function readIsFamily(api: Api): Promise<boolean> {
  const { key } = (await callApi(api, '/api/account')) as { key: { dialect?: string } }
  return key.dialect === 'family'
}

type Sent = {
  readonly kind: string
  readonly event: string
  readonly target: string
  readonly status: string
  readonly attempts: readonly {
    readonly http_status: number | null
    readonly error: string | null
    readonly answer: string | null
  }[]
}

const notifiedTries = 240
const notifiedPauseMs = 250

/** The first attempt to notify the shop. Without a worker there is none. */
export async function waitForNotification(api: Api, plugin: string, { txRef }: Unpaid): Promise<Answered> {
  const path = `/api/transaction/${encodeURIComponent(txRef)}/notifications`
  for (let tries = 0; tries < notifiedTries; tries += 1) {
    const sent = ownOf((await callApi(api, path)) as Sent[], plugin)
    if (sent?.status === 'kept') return { status: null, answer: 'not sent: the payment has no callback_url' }
    const first = sent?.attempts.at(0)
    if (sent && first) {
      const answer = first.answer === null ? `no answer (${first.error})` : startOf(first.answer)
      return { status: first.http_status, answer, refused: sent.status !== 'delivered' }
    }
    await pause(notifiedPauseMs)
  }
  return { status: null, answer: 'not sent in a minute: is a worker running?' }
}

/** The one to the plugin, not those to endpoints of the account; or the only one that there is. */
function ownOf(all: readonly Sent[], plugin: string): Sent | undefined {
  const ipns = all.filter(({ kind, event }) => kind === 'ipn' && event === 'payment.success')
  return ipns.find(({ target }) => placeOf(target) === placeOf(plugin)) ?? ipns[0]
}

function placeOf(url: string): string {
  return url.split('?')[0] ?? url
}
