import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/errors/refusals.ts'
import { visible } from '../terminal/print.ts'
import { FailedWhenAsked } from './asked.ts'
import { ServerAway, serverTrouble } from './server-trouble.ts'

// Commands that a developer runs far from the database talk to the server as any other program does.

export type Api = { readonly baseUrl: string; readonly key: string }

export type Envelope = {
  readonly status: string
  readonly message: string
  readonly data: unknown
  readonly meta?: unknown
}

const answerTimeoutMs = 40_000

/** The data of the answer. What Florin refuses is thrown as it says it. */
export async function callApi(api: Api, path: string, body?: unknown): Promise<unknown> {
  return (await askApi(api, path, body)).data
}

/** The whole answer, for lists that say where they go on. */
export async function askApi(api: Api, path: string, body?: unknown): Promise<Envelope> {
  const answer = await fetch(api.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${api.key}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  }).catch((error: unknown) => {
    throw serverTrouble(api.baseUrl, error)
  })
  if (isAway.has(answer.status)) throw new ServerAway(api.baseUrl, answer.status)
  const text = await answer.text().catch((error: unknown) => {
    throw serverTrouble(api.baseUrl, error)
  })
  const envelope = readEnvelope(text)
  if (envelope === undefined) {
    const line = `The server at ${api.baseUrl} is not Florin. Set BASE_URL to Florin's URL.`
    throw new Refusal('unavailable', line)
  }
  // Always 'unavailable' (exit code 69): a refusal by the server need not be a mistake on the command line (64).
  if (!answer.ok)
    throw new FailedWhenAsked(api.baseUrl, new Refusal('unavailable', visible(envelope.message)))
  return envelope
}

/** Statuses that mean away, whether Florin or the proxy before it says so. */
const isAway = new Set([502, 503, 504])

function readEnvelope(text: string): Envelope | undefined {
  try {
    const found = JSON.parse(text) as Partial<Envelope>
    return typeof found.status === 'string' && typeof found.message === 'string'
      ? (found as Envelope)
      : undefined
  } catch {
    return undefined
  }
}

/** Asks again each second while the server is away, as during its restart; `told` is called once. */
export async function whileAway<T>(told: (line: string) => void, ask: () => Promise<T>): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error
      if (!isTold) told(error.message)
      await pause(1_000)
    }
  }
}
