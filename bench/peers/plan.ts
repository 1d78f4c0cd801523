// What one load of a server is made of. A plan is plain JSON, so that it can be kept in a file and sent again.

export type Call = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type Plan = {
  readonly port: number
  readonly expectStatus: number
  /** GraphQL says 200 to a refusal as well, so every answer is searched for this. */
  readonly expectText: string
  /** Sent in turn, again and again: as many different ones as there are carts, orders or payments. */
  readonly calls: readonly Call[]
  /** In bodies and paths this stands for a number that no other call has. */
  readonly counted?: string
  /** A call works only once, as paying an order does: each is sent once, and a round ends early when its share is used up. */
  readonly once?: boolean
}

export const crowds = [1, 32] as const
/** That count; there is one before them that does not. */
export const rounds = 3
/** Rounds among which calls that work only once are shared out. */
export const shares = crowds.length * (rounds + 1)

const callsPerSecondMost = 10_000
let count = 0

/** Gives the requests of one round after another. */
export function requestsOf(plan: Plan, seconds: number): () => string[] {
  const { calls, counted, once = false } = plan
  let next = 0
  return () => {
    if (once) {
      const share = Math.floor(calls.length / shares)
      next += share
      return calls.slice(next - share, next).map((call) => asText(call))
    }
    const length = counted === undefined ? calls.length : Math.ceil(seconds * callsPerSecondMost)
    return Array.from({ length }, (_, at) => asText(calls[at % calls.length] as Call, counted))
  }
}

function asText({ method, path, headers = {}, body }: Call, counted?: string): string {
  count += 1
  const filled = (text: string): string =>
    counted === undefined ? text : text.replaceAll(counted, `${process.pid}-${count}`)
  const content = body === undefined ? '' : filled(JSON.stringify(body))
  const all = {
    Host: '127.0.0.1',
    Accept: 'application/json',
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(content)),
    }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${filled(path)} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${content}`
}
