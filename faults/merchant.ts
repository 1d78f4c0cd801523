import { setTimeout as pause } from 'node:timers/promises'

// A merchant's program: it tries again when an answer does not come, with the same words, as the guide tells it to.

export type Created =
  | { readonly kind: 'created'; readonly url: string }
  /** Florin said that nothing was done, to the first try, and the merchant left it at that. */
  | { readonly kind: 'nothing' }
  /** Time is over, or the load was stopped: nobody knows. */
  | { readonly kind: 'gave up' }
  | { readonly kind: 'wrong'; readonly what: string }

export type CreateRequest = {
  readonly url: string
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | undefined
  /** Leaves it at a first answer that nothing was done, so that the answer can be compared with the rows. */
  readonly takesNo?: boolean
}

const patienceMs = 15_000
const betweenTriesMs = 100

/** `goOn` false ends the tries. */
export async function createSurely(request: CreateRequest, goOn: () => boolean): Promise<Created> {
  let asked = 0
  while (goOn()) {
    asked += 1
    const answer = await createOnce(request)
    if (answer?.status === 201) return { kind: 'created', url: answer.checkoutUrl ?? '' }
    if (request.takesNo && asked === 1 && answer?.status === 503 && saysNothingDone.test(answer.message))
      return { kind: 'nothing' }
    // The first try came through and its answer was lost: the look-up tells where to send the customer.
    if (answer?.status === 409 && answer.code === 'tx_ref_taken' && asked > 1) {
      const seen = await lookUp(request.url, request.key, String(request.body['tx_ref']))
      if (seen?.checkoutUrl !== undefined) return { kind: 'created', url: seen.checkoutUrl }
    } else if (answer && !mayBeAskedAgain(answer.status)) {
      return { kind: 'wrong', what: `create answered ${answer.status} ${answer.code}` }
    }
    await pause(betweenTriesMs)
  }
  return { kind: 'gave up' }
}

const saysNothingDone = /nothing was done/i
/** What only a request that writes may say. */
const speaksOfSaving = /saved|nothing was done/i

/** 408 too: on a machine that stands still, half a request may have arrived when the limit of three seconds is over. */
export function mayBeAskedAgain(status: number): boolean {
  return status === 503 || status === 408
}

type Answer = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly checkoutUrl: string | undefined
}

/** Undefined when no answer came. */
export async function createOnce(request: CreateRequest): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${request.url}/api/payment`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${request.key}`,
        'content-type': 'application/json',
        ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
      },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(patienceMs),
    })
    const envelope = (await response.json()) as {
      code?: string
      message?: string
      data?: { checkout_url?: string } | null
    }
    return {
      status: response.status,
      code: envelope.code ?? '',
      message: envelope.message ?? '',
      checkoutUrl: envelope.data?.checkout_url,
    }
  } catch {
    return undefined
  }
}

export type LookUpResult = { readonly status: string; readonly checkoutUrl: string | undefined }

/** Undefined when no answer came; throws when the payment is not there. */
export async function lookUp(url: string, key: string, txRef: string): Promise<LookUpResult | undefined> {
  let response: Response
  let text: string
  try {
    response = await fetch(`${url}/api/transaction/${encodeURIComponent(txRef)}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(patienceMs),
    })
    text = await response.text()
  } catch {
    return undefined
  }
  if (response.status === 503 && speaksOfSaving.test(text)) throw new Error(`look-up answered ${text}`)
  if (mayBeAskedAgain(response.status)) return undefined
  if (response.status !== 200) throw new Error(`look-up answered ${response.status}`)
  const { data } = JSON.parse(text) as { data: { status: string; checkout_url?: string } }
  return { status: data.status, checkoutUrl: data.checkout_url }
}

/**
 * Asks with the same refund_ref until there is an answer. Undefined: nobody knows, or there is nothing to refund.
 */
export async function refundSurely(
  request: { url: string; key: string; txRef: string; body: Readonly<Record<string, unknown>> },
  goOn: () => boolean,
): Promise<'acknowledged' | { readonly wrong: string } | undefined> {
  while (goOn()) {
    const answer = await refundOnce(request)
    if (answer === 200 || answer === 201) return 'acknowledged'
    if (answer === 409) return undefined
    if (answer !== undefined && !mayBeAskedAgain(answer)) return { wrong: `refund answered ${answer}` }
    await pause(betweenTriesMs)
  }
  return undefined
}

async function refundOnce({
  url,
  key,
  txRef,
  body,
}: Parameters<typeof refundSurely>[0]): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/api/transaction/${encodeURIComponent(txRef)}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

export async function cancelOnce(url: string, key: string, txRef: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/api/transaction/${encodeURIComponent(txRef)}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(patienceMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
