import type { Database } from '../../../platform/database/database.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import {
  answerLimitBytes,
  totalTimeoutMs,
  type Outbound,
  type OutboundResult,
  type OutboundScope,
} from '../../../platform/outbound/outbound.ts'
import { webhookId } from '../delivery-id.ts'
import { signatureHeaders } from './signature.ts'
import type { OpenStored } from './stored-secret.ts'
import type { Claim } from '../store.ts'
import { webhookSecrets } from './webhook-secrets.ts'
import type { Mode } from '../../merchants/mode.ts'
import { isTestReceiver } from '../test-receiver/address.ts'

// One attempt to notify a merchant: the stored bytes, signed now, sent to the stored URL.

export const verdicts = ['delivered', 'failed', 'gone', 'skipped', 'kept', 'waits'] as const

export type Outcome = {
  /**
   * gone: the receiver wants no more of this one. skipped: it will not be sent, on purpose. kept: for the mailbox.
   * waits: until there is a mail server.
   */
  readonly verdict: (typeof verdicts)[number]
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  /** For the log alone: what really went wrong, beyond the one word of `error`. */
  readonly cause?: string | undefined
  readonly retryAfter?: string | undefined
}

export type IpnSender = {
  readonly db: Database
  readonly secrets: Secrets
  readonly openStored: OpenStored
  readonly outbound: Outbound
  /** True on a developer's machine: test mode may then call it and its network. */
  readonly allowLocal: boolean
  /** This Florin's URL, whose own test receiver may be called in test mode wherever it is. */
  readonly baseUrl: string
  readonly now: () => Date
}

export type Ipn = {
  readonly merchantId: number
  readonly mode: Mode
  readonly id: string
  readonly target: string
  readonly body: string
  /** As stored; null: not read yet. */
  readonly secrets: readonly string[] | null
  readonly endpointId?: string | null
  readonly dialect?: 'family' | null
  readonly timeoutMs?: number
}

const answerKeptBytes = 1024

export async function sendIpn(sender: IpnSender, ipn: Ipn): Promise<Outcome> {
  // An endpoint without a secret was deleted. What was due to it must not go out under another secret.
  if (ipn.endpointId && !ipn.secrets)
    return { verdict: 'skipped', ms: 0, status: null, error: 'endpoint_deleted', answer: null }
  const secrets =
    ipn.secrets?.map((stored) => sender.openStored(ipn, stored)) ??
    (await webhookSecrets(sender, ipn)).map(({ secret }) => secret)
  const signatures = signatureHeaders({ id: webhookId(ipn.id), body: ipn.body, at: sender.now() }, secrets)
  const result = await sender.outbound.post({
    url: ipn.target,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Florin',
      ...signatures,
      ...(ipn.dialect === 'family' && { 'x-chapa-signature': signatures.signature }),
    },
    body: ipn.body,
    scope: scopeOf(sender, ipn),
    ...(ipn.timeoutMs !== undefined && { timeoutMs: ipn.timeoutMs }),
  })
  if (ipn.dialect !== 'family') return judge(result)
  const isRefused = result.status !== undefined && takesNoPost.has(result.status)
  return judge(isRefused ? await askByGet(sender, ipn, result.ms) : result, redirects)
}

/** Plugins of the family take every call of their callback for a browser: when they are done, they redirect it. */
const redirects = new Set([302, 303])

const takesNoPost = new Set([404, 405])

/**
 * Some plugins of the family know only GET, and look the payment up by the tx_ref in the query. Nothing is signed: there
 * is no body. Both calls together take no longer than one may.
 */
async function askByGet(sender: IpnSender, ipn: Ipn, spentMs: number): Promise<OutboundResult> {
  const result = await sender.outbound.send({
    method: 'GET',
    url: ipn.target,
    headers: { accept: '*/*', 'user-agent': 'Florin' },
    body: '',
    scope: scopeOf(sender, ipn),
    timeoutMs: Math.max(leastMs, (ipn.timeoutMs ?? totalTimeoutMs) - spentMs),
    signal: new AbortController().signal,
    answerLimitBytes,
  })
  return { ...result, ms: spentMs + result.ms }
}

const leastMs = 1_000

function scopeOf({ allowLocal, baseUrl }: IpnSender, { mode, target }: Ipn): OutboundScope {
  return mode === 'test' && (allowLocal || isTestReceiver(baseUrl, target)) ? 'local' : 'public'
}

export function ipnOf(claim: Claim): Ipn {
  const { merchant_id: merchantId, mode, id, target, body, secrets, endpoint_id: endpointId, dialect } = claim
  return { merchantId, mode, id, target, body, secrets, endpointId, dialect }
}

const mayAskForTime = new Set([429, 503])

function judge(result: OutboundResult, alsoReceived: ReadonlySet<number> = new Set()): Outcome {
  const { ms } = result
  if (result.status === undefined) {
    const { error, cause } = result
    return { verdict: 'failed', ms, status: null, error, answer: null, cause }
  }
  const { status } = result
  const isReceived = (status >= 200 && status < 300) || alsoReceived.has(status)
  return {
    verdict: isReceived ? 'delivered' : status === 410 ? 'gone' : 'failed',
    ms,
    status,
    error: null,
    answer: startOf(result.answer),
    ...(mayAskForTime.has(status) && { retryAfter: result.retryAfter }),
  }
}

/** PostgreSQL's text can't hold a NUL; invalid UTF-8 becomes the replacement character. */
function startOf(answer: Buffer): string {
  return answer.subarray(0, answerKeptBytes).toString('utf8').replaceAll('\0', '\ufffd')
}
