import { createHash } from 'node:crypto'
import { callNetwork, type NetworkAnswer, type NetworkWay } from '../../core/networks/call-network.ts'
import type { Account } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'

// PayPal is called with a token that lives for hours. It is fetched once for all concurrent callers, kept only in
// memory, and fetched again shortly before it ends or when PayPal rejects it.

export const name = 'PayPal'

/** More accounts than one process serves at a time. */
const tokensMax = 200
/** A call that starts with a token must not outlive it. */
const spareMs = 60_000
const fetchLimitMs = 10_000

export type Token = { readonly value: string; readonly endsMs: number }

export type TokenAnswer =
  | { readonly kind: 'token'; readonly token: Token }
  /** PayPal does not know these credentials. */
  | { readonly kind: 'refused'; readonly answer: NetworkAnswer }

export type Tokens = {
  get(api: string, credentials: Account['credentials'], signal: AbortSignal): Promise<TokenAnswer>
  /** PayPal refused this one; a newer one that another caller fetched stays. */
  drop(api: string, credentials: Account['credentials'], token: Token): void
}

export type TokenWay = Omit<NetworkWay, 'api'> & { readonly now: () => Date }

type Kept = { readonly answer: Promise<TokenAnswer>; token?: Token }

export function makeTokens(way: TokenWay): Tokens {
  const kept = new Map<string, Kept>()

  function start(slot: string, api: string, credentials: Account['credentials']): Kept {
    const made: Kept = { answer: fetchToken(way, api, credentials) }
    kept.delete(slot)
    kept.set(slot, made)
    for (const oldest of kept.keys()) if (kept.size > tokensMax) kept.delete(oldest)
    void keepToken(slot, made)
    return made
  }

  async function keepToken(slot: string, made: Kept): Promise<void> {
    const answer = await made.answer.catch(() => undefined)
    if (answer?.kind === 'token') made.token = answer.token
    else forget(slot, made)
  }

  function forget(slot: string, one: Kept): void {
    if (kept.get(slot) === one) kept.delete(slot)
  }

  return {
    async get(api, credentials, signal) {
      const slot = slotOf(api, credentials)
      const before = kept.get(slot)
      const isUsable = before && (!before.token || before.token.endsMs - spareMs > way.now().getTime())
      const one = isUsable ? before : start(slot, api, credentials)
      if (one.token) return { kind: 'token', token: one.token }
      // Whoever gives up while it is fetched must not leave a stuck one to those who come later.
      return within(one.answer, signal, () => forget(slot, one))
    },
    drop(api, credentials, token) {
      const slot = slotOf(api, credentials)
      if (kept.get(slot)?.token === token) kept.delete(slot)
    },
  }
}

function slotOf(api: string, { client_id = '', client_secret = '' }: Account['credentials']): string {
  return createHash('sha256')
    .update(JSON.stringify([api, client_id, client_secret]))
    .digest('base64')
}

async function fetchToken(
  { outbound, scope, now }: TokenWay,
  api: string,
  { client_id = '', client_secret = '' }: Account['credentials'],
): Promise<TokenAnswer> {
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  const startedMs = now().getTime()
  const answer = await callNetwork(
    name,
    { outbound, scope, api },
    {
      method: 'POST',
      path: '/v1/oauth2/token',
      headers: {
        authorization: `Basic ${basic}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'florin',
      },
      body: 'grant_type=client_credentials',
    },
    AbortSignal.timeout(fetchLimitMs),
  )
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    return { kind: 'refused', answer }
  const { access_token: value, expires_in: seconds } = answer.body
  if (answer.status >= 300 || typeof value !== 'string' || typeof seconds !== 'number')
    throw new NoAnswer(name, `status ${answer.status}, and no token in it`)
  return { kind: 'token', token: { value, endsMs: startedMs + seconds * 1_000 } }
}

async function within<T>(work: Promise<T>, signal: AbortSignal, onGivenUp: () => void): Promise<T> {
  signal.throwIfAborted()
  let giveUp: (() => void) | undefined
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = () => {
      onGivenUp()
      reject(new NoAnswer(name, 'aborted while a token was fetched'))
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, givenUp])
  } finally {
    if (giveUp) signal.removeEventListener('abort', giveUp)
  }
}
