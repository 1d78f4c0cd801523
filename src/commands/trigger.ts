import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { Refusal } from '../errors/refusals.ts'
import { flag, readArguments, text, UsageMistake } from './terminal/arguments.ts'
import { print } from './terminal/print.ts'
import { callApi, type Api } from './reach/call-api.ts'
import { keyedApi, keyHelp, keyOption } from './reach/secret-key.ts'
import { serverTrouble } from './reach/server-trouble.ts'

export const triggerHelp = `florin trigger EVENT [--amount 10.00] [--callback-url URL] [--json]

  Makes a real payment in test mode at BASE_URL and brings it to its end, as a
  customer would by the checkout page. EVENT is one of

    payment.success      pays with 4242 4242 4242 4242
    payment.failed       is declined ten times with 4000 0000 0000 0002
    payment.cancelled    presses cancel

  The notification is real too. payment.expired takes 24 hours, and customers
  make no refunds and no reversals: florin refund makes the first, and for the
  rest POST /api/notifications/test sends a sample.

  ${keyHelp}`

const declinesUntilFailed = 10
const settleTries = 40
const settlePauseMs = 250

type Payment = {
  readonly txRef: string
  readonly page: string
  /** Shows the checkout page that it is the merchant who tries, so that no decline is counted. */
  readonly key: string
}
type Bring = (payment: Payment) => Promise<void>

const ways: Readonly<Record<string, Bring>> = {
  'payment.success': async (payment) => pay(payment, '4242424242424242'),
  'payment.failed': async (payment) => {
    for (let declines = 0; declines < declinesUntilFailed; declines += 1)
      await pay(payment, '4000000000000002')
  },
  'payment.cancelled': async (payment) => submit(payment, 'cancel'),
}

export async function trigger(config: Config, args: string[]): Promise<void> {
  const options = {
    ...keyOption,
    'callback-url': { type: 'string' },
    amount: { type: 'string' },
  } as const
  const parsed = readArguments(args, { ...options, json: { type: 'boolean' } }, 1)
  const event = parsed.words[0]
  if (event === undefined)
    throw new UsageMistake(`Say which event: florin trigger ${Object.keys(ways).join(', ')}`)
  const bring = Object.hasOwn(ways, event) ? ways[event] : undefined
  if (!bring)
    throw new UsageMistake(`EVENT must be one of ${Object.keys(ways).join(', ')}, but is "${event}"`)
  const api = await keyedApi(config, parsed, { testOnly: true })
  const payment = await create(api, text(parsed, 'amount') ?? '10.00', text(parsed, 'callback-url'))
  await bring(payment)
  const status = await settled(api, payment)
  if (`payment.${status}` !== event)
    throw new Refusal('unavailable', `The payment ended as ${status}, not as ${event}`)
  if (flag(parsed, 'json')) return print(JSON.stringify({ event, tx_ref: payment.txRef, status }))
  print(`${event}  ${payment.txRef}  ${payment.page}`)
}

async function create(api: Api, amount: string, callbackUrl: string | undefined): Promise<Payment> {
  const txRef = `trigger-${randomBytes(6).toString('hex')}`
  const data = await callApi(api, '/api/payment', {
    tx_ref: txRef,
    amount,
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    customization: { title: 'Made by florin trigger' },
    ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
  })
  return { txRef, page: (data as { checkout_url: string }).checkout_url, key: api.key }
}

async function pay(payment: Payment, number: string): Promise<void> {
  const year = (new Date().getUTCFullYear() + 3) % 100
  await submit(payment, 'pay', { number, expiry: `12/${year}`, cvc: '123', name: 'Ada Lovelace' })
}

/** Sends a form of the checkout page with the token that the page would have put into it. */
async function submit(
  { page, key }: Payment,
  form: 'pay' | 'cancel',
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const token = await readToken(page)
  const body = new URLSearchParams({ token, ...fields })
  const answer = await reach(`${page}/${form}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}` },
    redirect: 'manual',
  })
  await answer.body?.cancel()
  if (answer.status >= 400) throw new Refusal('unavailable', `The checkout page answered ${answer.status}`)
}

async function readToken(page: string): Promise<string> {
  const answer = await reach(`${page}/state`, { headers: { accept: 'application/json' } })
  const state = (await answer.json().catch(() => ({}))) as { token?: unknown }
  if (typeof state.token === 'string') return state.token
  throw new Refusal('unavailable', `The checkout page at ${page} answered ${answer.status}`)
}

/** The page's address comes from the BASE_URL of the server, which may be one that this machine can't reach. */
async function reach(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, request).catch((cause: unknown) => {
    throw serverTrouble(new URL(url).origin, cause)
  })
}

async function settled(api: Api, payment: Payment): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const data = await callApi(api, `/api/transaction/${encodeURIComponent(payment.txRef)}`)
    const { status } = data as { status: string }
    if (status !== 'pending' || tries === settleTries) return status
    await pause(settlePauseMs)
  }
}
