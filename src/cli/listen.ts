import type { Config } from '../platform/settings/config.ts'
import { webhookId } from '../core/notifications/delivery-id.ts'
import { callApi, whileAway, type Api } from './reach/call-api.ts'
import { keyedApi, keyHelp, keyOption } from './reach/secret-key.ts'
import { readArguments, text, webAddress } from './terminal/arguments.ts'
import { accent, print, printFacts, printLine, visible } from './terminal/print.ts'

export const listenHelp = `florin listen [--forward-to URL] [--events EVENT,…]

  Prints test notifications as they happen, one per line: the event, the amount
  and the tx_ref. With --forward-to it also sends each to URL, signed like the
  real one, and the line ends with your server's answer. It prints the signing
  secret first. Your server can be on localhost or behind a router: Florin
  doesn't need to reach it, and payments need no callback_url. While it runs it
  is an endpoint of the account: florin endpoint list shows it, and Florin
  stores your server's answers with the notifications. It also prints warnings
  about fields of your requests that Florin ignored, such as returnUrl for
  return_url, a few seconds later. It connects to the Florin at BASE_URL. Stop
  it with Ctrl-C.

  --forward-to   such as http://localhost:4000/ipn
  --events       such as payment.success,payment.refunded; default: all

  ${keyHelp}`

type Followed = {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly headers: Record<string, string>
  readonly body: string
}

const overlapMs = 10_000
const forwardTimeoutMs = 15_000
const waitSeconds = 25
const answerShownMax = 80

export async function listenToNotifications(config: Config, args: string[]): Promise<void> {
  const options = { 'forward-to': { type: 'string' }, events: { type: 'string' } } as const
  const parsed = readArguments(args, { ...options, ...keyOption })
  const target =
    parsed.values['forward-to'] === undefined
      ? undefined
      : webAddress(parsed, 'forward-to', 'http://localhost:4000/ipn').href
  const api = await keyedApi(config, parsed, { testOnly: true })
  const events = text(parsed, 'events')?.split(',')
  const begun = (await callApi(api, '/api/notifications/listen', { events })) as Beginning
  const { now, secret, endpoint } = begun
  endWithSignal(api, endpoint.id)
  printFacts({
    Listening: `to test mode at ${api.baseUrl}`,
    Secret: secret === undefined ? undefined : accent(secret),
    Forwarding: target === undefined ? undefined : `to ${target}`,
  })
  void followWarnings(api, now)
  await follow({ api, endpoint: endpoint.id }, target, now)
}

type Beginning = {
  readonly now: string
  readonly secret?: string
  readonly endpoint: { readonly id: string }
}
type Listener = { readonly api: Api; readonly endpoint: string }

const goodbyeMs = 2_000

/** The endpoint goes with the command. One that was killed is forgotten a minute later. */
function endWithSignal({ baseUrl, key }: Api, endpoint: string): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      const headers = { authorization: `Bearer ${key}` }
      const timeout = AbortSignal.timeout(goodbyeMs)
      void fetch(`${baseUrl}/api/endpoints/${endpoint}`, { method: 'DELETE', headers, signal: timeout })
        .catch(() => {})
        .finally(() => process.kill(process.pid, signal))
    })
}

type Warned = {
  readonly since: string
  readonly requests: readonly {
    readonly at: string
    readonly method: string
    readonly path: string
    readonly warnings: readonly string[]
  }[]
}

/** Until the server refuses, as one does that is older than this command. The notifications report everything else. */
async function followWarnings(api: Api, start: string): Promise<void> {
  const askFrom = async (since: string): Promise<Warned> => {
    const query = new URLSearchParams({ since, wait: String(waitSeconds) }).toString()
    const path = `/api/notifications/listen/warnings?${query}`
    return whileAway(
      () => {},
      async () => (await callApi(api, path)) as Warned,
    )
  }
  try {
    for (let since = start; ;) {
      const found = await askFrom(since)
      for (const { at, method, path, warnings } of found.requests)
        for (const warning of warnings) print(visible(`${timeOf(at)}  ${method} ${path}  ${warning}`))
      since = found.since
    }
  } catch {
    return
  }
}

const timeOf = (at: string): string => `${at.slice(11, 19)}Z`

/** How far the list was read: a time, and an id because several notifications may have the same time. */
type Cursor = { readonly since: string; readonly after: string }

async function follow(listener: Listener, target: string | undefined, start: string): Promise<never> {
  const forwarded = new Map<string, number>()

  /** Forwards all that comes after `from`, but none twice, and returns the last of them. */
  async function forwardAll(from: Cursor, seconds: number): Promise<Cursor> {
    const found = await ask(listener, from, seconds)
    for (const one of found) {
      if (forwarded.has(one.id)) continue
      forwarded.set(one.id, Date.parse(one.created_at))
      print(lineOf(one, target === undefined ? '' : await forward(listener, target, one)))
    }
    const last = found.at(-1)
    return last ? forwardAll({ since: last.created_at, after: last.id }, 0) : from
  }

  for (let place: Cursor = { since: start, after: '' }; ;) {
    place = await forwardAll(place, waitSeconds)
    // A notification has the time at which its transaction began, and may appear after one that began later. So the
    // last seconds are read again.
    const backMs = Math.max(Date.parse(start), Date.parse(place.since) - overlapMs)
    await forwardAll({ since: new Date(backMs).toISOString(), after: '' }, 0)
    for (const [id, atMs] of forwarded) if (atMs < backMs) forwarded.delete(id)
  }
}

async function ask(
  { api, endpoint }: Listener,
  { since, after }: Cursor,
  seconds: number,
): Promise<Followed[]> {
  const query = new URLSearchParams({ since, after, endpoint, wait: String(seconds) })
  return whileAway(printLine, async () => {
    const data = await callApi(api, `/api/notifications/listen?${query.toString()}`)
    return (data as { notifications: Followed[] }).notifications
  })
}

async function forward(listener: Listener, target: string, one: Followed): Promise<string> {
  const began = performance.now()
  const outcome = await fetch(target, {
    method: 'POST',
    headers: { ...one.headers, 'user-agent': 'Florin' },
    body: one.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(forwardTimeoutMs),
  }).then(
    async (answer) => ({
      word: String(answer.status),
      body: await beginningOf(answer),
      told: { http_status: answer.status },
    }),
    (error: unknown) => ({
      word: `no answer (${reason(error)})`,
      body: '',
      told: { error: errorClass(error) },
    }),
  )
  const ms = Math.round(performance.now() - began)
  const { api, endpoint } = listener
  // Only for the record: forwarding goes on without it.
  await callApi(api, '/api/notifications/listen/answer', { endpoint, id: one.id, ms, ...outcome.told }).catch(
    () => {},
  )
  return `${outcome.word} in ${ms} ms  ${outcome.body}`.trimEnd()
}

/** Enough of an answer for one line; the rest isn't waited for. */
async function beginningOf(answer: Response): Promise<string> {
  let read = ''
  try {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) {
      read += decoder.decode(part, { stream: true })
      if (read.length > answerShownMax) break
    }
  } catch {
    // It broke off, or took too long: the status came, and counts.
  }
  const line = read.replaceAll(/\s+/g, ' ').trim()
  return visible(line.length > answerShownMax ? `${line.slice(0, answerShownMax - 1)}…` : line)
}

function lineOf(one: Followed, rest: string): string {
  return `${timeOf(one.created_at)}  ${one.event.padEnd(17)}  ${webhookId(one.id)}  ${paymentOf(one.body)}  ${rest}`.trimEnd()
}

/** The amount and the order. */
function paymentOf(body: string): string {
  const { currency = '', amount = '', tx_ref: txRef = '' } = JSON.parse(body) as Record<string, string>
  return visible(`${currency} ${amount}  ${txRef}`.trim())
}

/** As Florin calls it when it calls by itself. */
function errorClass(error: unknown): string {
  return (error as { name?: string }).name === 'TimeoutError' ? 'timeout' : 'connection_failed'
}

function reason(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } }
  return name === 'TimeoutError'
    ? `nothing within ${forwardTimeoutMs / 1000} s`
    : (cause?.code ?? String(name))
}
