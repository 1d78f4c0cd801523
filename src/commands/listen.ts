import type { Config } from '../config.ts'
import { callApi, whileAway, type Api } from './reach/call-api.ts'
import { keyedApi, keyHelp, keyOption } from './reach/secret-key.ts'
import { readArguments, webAddress } from './terminal/arguments.ts'
import { accent, print, printFacts, say, visible } from './terminal/print.ts'

export const listenHelp = `florin listen [--forward-to URL]

  Follows the notifications of test mode, a line each: what happened, the amount
  and the tx_ref. With --forward-to it forwards each to URL, signed as it would
  be sent, and the line ends with what your receiver answered. It first prints
  the secret that they are signed with. Your receiver may be on localhost or
  behind a router: Florin need not reach it. Payments need no callback_url for
  this. It asks the Florin at BASE_URL. Stop it with Ctrl-C.

  --forward-to   such as http://localhost:4000/ipn

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
  const parsed = readArguments(args, { 'forward-to': { type: 'string' }, ...keyOption })
  const target =
    parsed.values['forward-to'] === undefined
      ? undefined
      : webAddress(parsed, 'forward-to', 'http://localhost:4000/ipn').href
  const api = await keyedApi(config, parsed, { testOnly: true })
  const { now, secret } = (await callApi(api, '/api/notifications/listen?wait=0')) as Beginning
  printFacts({
    Listening: `to test mode at ${api.baseUrl}`,
    Secret: secret === undefined ? undefined : accent(secret),
    Forwarding: target === undefined ? undefined : `to ${target}`,
  })
  await follow(api, target, now)
}

type Beginning = { readonly now: string; readonly secret?: string }

/** How far the list was read: a time, and an id because several notifications may have the same time. */
type Place = { readonly since: string; readonly after: string }

async function follow(api: Api, target: string | undefined, start: string): Promise<never> {
  const forwarded = new Map<string, number>()

  /** Forwards all that comes after `from`, but none twice, and returns the last of them. */
  async function forwardAll(from: Place, seconds: number): Promise<Place> {
    const found = await ask(api, from, seconds)
    for (const one of found) {
      if (forwarded.has(one.id)) continue
      forwarded.set(one.id, Date.parse(one.created_at))
      print(lineOf(one, target === undefined ? '' : await forward(target, one)))
    }
    const last = found.at(-1)
    return last ? forwardAll({ since: last.created_at, after: last.id }, 0) : from
  }

  for (let place: Place = { since: start, after: '' }; ;) {
    place = await forwardAll(place, waitSeconds)
    // A notification has the time at which its transaction began, and may appear after one that began later. So the
    // last seconds are read again.
    const backMs = Math.max(Date.parse(start), Date.parse(place.since) - overlapMs)
    await forwardAll({ since: new Date(backMs).toISOString(), after: '' }, 0)
    for (const [id, atMs] of forwarded) if (atMs < backMs) forwarded.delete(id)
  }
}

async function ask(api: Api, { since, after }: Place, seconds: number): Promise<Followed[]> {
  const query = new URLSearchParams({ since, after, wait: String(seconds) })
  return whileAway(say, async () => {
    const data = await callApi(api, `/api/notifications/listen?${query.toString()}`)
    return (data as { notifications: Followed[] }).notifications
  })
}

async function forward(target: string, one: Followed): Promise<string> {
  const began = performance.now()
  const outcome = await fetch(target, {
    method: 'POST',
    headers: { ...one.headers, 'user-agent': 'Florin' },
    body: one.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(forwardTimeoutMs),
  }).then(
    async (answer) => ({ word: String(answer.status), body: await beginningOf(answer) }),
    (error: unknown) => ({ word: `no answer (${reason(error)})`, body: '' }),
  )
  const ms = Math.round(performance.now() - began)
  return `${outcome.word} in ${ms} ms  ${outcome.body}`.trimEnd()
}

/** Enough of an answer for one line; what comes after it is not waited for. */
async function beginningOf(answer: Response): Promise<string> {
  let text = ''
  try {
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part, { stream: true })
      if (text.length > answerShownMax) break
    }
  } catch {
    // It broke off, or took too long: the status came, and counts.
  }
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return visible(line.length > answerShownMax ? `${line.slice(0, answerShownMax - 1)}…` : line)
}

function lineOf(one: Followed, rest: string): string {
  const time = `${one.created_at.slice(11, 19)}Z`
  return `${time}  ${one.event.padEnd(17)}  ${one.id}  ${paymentOf(one.body)}  ${rest}`.trimEnd()
}

/** The amount and the order. */
function paymentOf(body: string): string {
  const { currency = '', amount = '', tx_ref: txRef = '' } = JSON.parse(body) as Record<string, string>
  return visible(`${currency} ${amount}  ${txRef}`.trim())
}

function reason(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } }
  return name === 'TimeoutError'
    ? `nothing within ${forwardTimeoutMs / 1000} s`
    : (cause?.code ?? String(name))
}
