import type { Outbound, OutboundScope } from '../../platform/outbound/outbound.ts'
import { NoAnswer } from './no-answer.ts'

// The way to a network, for every connector that speaks HTTP: one place decides what counts as no answer.

export type NetworkWay = {
  readonly outbound: Outbound
  /** `https://api.example.com`; a stand-in in tests. */
  readonly api: string
  /** `local` lets it be on this machine. */
  readonly scope: OutboundScope
}

export type NetworkRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
}

export type NetworkAnswer = {
  readonly status: number
  readonly requestId: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const answerLimitBytes = 4 * 1024 * 1024

/**
 * Returns what the network decided, be it no. Throws NoAnswer for what it did not decide: nothing came, it is busy or
 * broken, or something else answered in its place, such as a maintenance page.
 */
export async function callNetwork(
  network: string,
  way: NetworkWay,
  request: NetworkRequest,
  signal: AbortSignal,
): Promise<NetworkAnswer> {
  const { method, path, headers, body = '' } = request
  const result = await way.outbound.send({
    url: way.api + path,
    scope: way.scope,
    method,
    headers,
    body,
    signal,
    answerLimitBytes,
  })
  if (result.error !== undefined) throw new NoAnswer(network, result.error)
  const { status, retryAfter, requestId } = result
  if (status === 429 || status === 408 || status >= 500) {
    throw new NoAnswer(network, `status ${status}${of(requestId)}`, waitOf(retryAfter))
  }
  const answer = readObject(result.answer)
  if (!answer || status < 200 || (status >= 300 && status < 400)) {
    throw new NoAnswer(network, `an unexpected answer with status ${status}${of(requestId)}`)
  }
  return { status, requestId, body: answer }
}

function of(requestId: string | undefined): string {
  return requestId !== undefined && /^[\w-]{1,100}$/.test(requestId) ? `, request ${requestId}` : ''
}

function readObject(answer: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(answer.toString('utf8'))
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Seconds, as networks write it; a date is not worth a parser. */
function waitOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined
}
