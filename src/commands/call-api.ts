import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../errors/refusals.ts'
import { UsageMistake } from './arguments.ts'

// Commands that a developer runs far from the database talk to the server as any other program does.

export type Api = { readonly baseUrl: string; readonly key: string }

type Envelope = { readonly status: string; readonly message: string; readonly data: unknown }

export function testKey(key: string | undefined): string {
  if (key === undefined) throw new UsageMistake('--key is required: a secret key of test mode, sk_test_…')
  if (!key.startsWith('sk_test_'))
    throw new UsageMistake('--key must be a secret key of test mode, sk_test_…')
  return key
}

/** The data of the answer. What Florin refuses is thrown as it says it. */
export async function callApi(api: Api, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(api.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${api.key}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new ServerAway(api.baseUrl, error)
  })
  if (isAway.has(answer.status)) throw new ServerAway(api.baseUrl, answer.status)
  const envelope = readEnvelope(await answer.text())
  if (envelope === undefined) {
    const line = `What answers at ${api.baseUrl} is not Florin. Set BASE_URL to where it is.`
    throw new Refusal('unavailable', line)
  }
  // Always 'unavailable' (exit code 69): a refusal by the server need not be a mistake on the command line (64).
  if (!answer.ok) throw new Refusal('unavailable', envelope.message)
  return envelope.data
}

/** Statuses that mean away, whether Florin or the proxy before it says so. */
const isAway = new Set([502, 503, 504])

function readEnvelope(text: string): Envelope | undefined {
  try {
    const { status, message, data } = JSON.parse(text) as Partial<Envelope>
    return typeof status === 'string' && typeof message === 'string' ? { status, message, data } : undefined
  } catch {
    return undefined
  }
}

export class ServerAway extends Refusal {
  constructor(baseUrl: string, cause: unknown) {
    super('unavailable', `Florin does not answer at ${baseUrl}. Start it, or set BASE_URL to where it is.`)
    this.cause = cause
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
