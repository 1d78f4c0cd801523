import type { Config } from '../config.ts'
import { print, readArguments, text, webAddress } from './arguments.ts'
import { callApi, testKey, whileAway, type Api } from './call-api.ts'

export const listenHelp = `florin listen --forward-to URL --key sk_test_…

  Follows the notifications of test mode and forwards each to URL, signed as it
  would be sent, with the answer on one line. Your receiver may be on localhost
  or behind a router: Florin need not reach it. Payments need no callback_url
  for this. It asks the Florin at BASE_URL. Stop it with Ctrl-C.`

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
const seenMax = 100

export async function listenToNotifications(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { 'forward-to': { type: 'string' }, key: { type: 'string' } })
  const target = webAddress(parsed, 'forward-to', 'http://localhost:4000/ipn').href
  const api = { baseUrl: config.BASE_URL, key: testKey(text(parsed, 'key')) }
  const { now } = (await callApi(api, '/api/notifications/listen?wait=0')) as { now: string }
  print(`Listening. Notifications of test mode go to ${target}`)
  await follow(api, target, now)
}

async function follow(api: Api, target: string, start: string): Promise<never> {
  let since = start
  let seen: string[] = []
  for (;;) {
    const query = new URLSearchParams({ since, wait: String(waitSeconds), seen: seen.join(',') })
    const found = await whileAway(tellTrouble, async () => {
      const data = await callApi(api, `/api/notifications/listen?${query.toString()}`)
      return (data as { notifications: Followed[] }).notifications
    })
    for (const one of found) print(await forward(target, one))
    seen = [...seen, ...found.map(({ id }) => id)].slice(-seenMax)
    since = later(start, found.at(-1)?.created_at ?? since)
  }
}

/** A payment that began earlier may be committed later, so a few seconds are asked for twice. */
function later(start: string, newest: string): string {
  return new Date(Math.max(Date.parse(start), Date.parse(newest) - overlapMs)).toISOString()
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
    async (answer) => {
      await answer.body?.cancel()
      return String(answer.status)
    },
    (error: unknown) => `no answer (${reason(error)})`,
  )
  const ms = Math.round(performance.now() - began)
  return `${one.created_at.slice(11, 19)}Z  ${one.event.padEnd(17)}  ${one.id}  ${outcome} in ${ms} ms`
}

function reason(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } }
  return name === 'TimeoutError'
    ? `nothing within ${forwardTimeoutMs / 1000} s`
    : (cause?.code ?? String(name))
}

function tellTrouble(line: string): void {
  process.stderr.write(`${line}\n`)
}
