import fastify from 'fastify'
import { answerWithErrorPage } from '../../src/core/checkout/answer.ts'
import type { Checkout } from '../../src/core/checkout/checkout.ts'
import { makeKnownShops } from '../../src/core/checkout/logo/known-shops.ts'
import type { CheckoutRequest } from '../../src/core/checkout/open-payment.ts'
import { addFormBodies } from '../../src/platform/http/form-body.ts'
import { makeRateLimit } from '../../src/platform/http/rate-limit.ts'
import type { Server } from '../../src/platform/http/server.ts'
import type { Payer } from '../../src/core/payments/attempts/pay.ts'
import type { CheckoutView } from '../../src/core/payments/checkout-view.ts'
import { makePageModel, styleFile, type ModelChanges } from './page-model.ts'

// The checkout of one payment, without a database and without networks: they say what the test wants said, and what they
// were asked is kept. For answers that hang on a state which a real payment is in for an instant, or never should be.

export const merchantId = 12_345_678
export const number = '9'.repeat(24)
export const digits = `${merchantId}${number}`
export const key = { merchantId, number }
/** As the page of the payment would send it along. */
export const token = (mode: 'test' | 'live' = 'test'): string => `token of ${mode} ${digits}`

export type Script = {
  readonly payment?: ModelChanges
  /** How the payment is read from the second time on. */
  readonly next?: ModelChanges
  /** What the payer answers, by its verb; an error is thrown. */
  readonly answers?: Partial<Record<keyof Payer, unknown>>
  readonly checkout?: Partial<Checkout>
}

export type Scripted = { readonly checkout: Checkout; readonly asked: readonly (readonly unknown[])[] }

export function viewOf(changes: ModelChanges = {}): CheckoutView {
  return makePageModel({
    state: 'pending',
    merchant_id: merchantId,
    number,
    refunds: 0,
    logo: null,
    ...changes,
  }).view
}

export function scriptCheckout({ payment, next, answers = {}, checkout }: Script = {}): Scripted {
  const asked: (readonly unknown[])[] = []
  const views = [viewOf(payment), viewOf(next ?? payment)] as const
  const now = (): Date => new Date('2026-11-15T14:06:00Z')
  let reads = 0
  const answer = (verb: keyof Payer, question: readonly unknown[]): unknown => {
    asked.push([verb, ...question])
    if (answers[verb] instanceof Error) throw answers[verb]
    return answers[verb]
  }
  const verbs = [
    'pay',
    'answerChallenge',
    'giveUpChallenge',
    'isSandbox',
    'choose',
    'lookAgain',
    'cancel',
  ] as const
  const payer = {
    ...Object.fromEntries(
      verbs.map((verb) => [verb, async (...question: unknown[]) => answer(verb, question)]),
    ),
    offers: async () => answers.offers ?? { offers: [], amountOutOfRange: false },
    labelOf: (connector: string) => `The network ${connector}`,
    takesDays: () => false,
  }
  return {
    asked,
    checkout: {
      payer,
      modules: [],
      now,
      prefix: '',
      styleFile,
      baseUrl: 'https://pay.example',
      knownShops: makeKnownShops(),
      missLimit: makeRateLimit({ perSecond: 1, burst: 1 }, () => now().getTime()),
      tokenOf: async (of: string, mode: string) => `token of ${mode} ${of}`,
      findMerchant: async () => undefined,
      readCheckout: async (of: string) => (of === digits ? views[Math.min(reads++, 1)] : undefined),
      ...checkout,
    } as unknown as Checkout,
  }
}

export type Sent = {
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}
export type Answered = {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
  readonly raw: Buffer
  readonly headers: Readonly<Record<string, unknown>>
}

/** One request to some routes of the checkout, on a server of their own. */
export async function ask(
  add: (scope: Server, checkout: Checkout) => void,
  checkout: Checkout,
  verb: string,
  sent: Sent = {},
): Promise<Answered> {
  const server = fastify()
  addFormBodies(server)
  server.setErrorHandler(async (error, request, reply) =>
    answerWithErrorPage(checkout, error, request as CheckoutRequest, reply),
  )
  add(server, checkout)
  const answer = await send(server, `/payment/${digits}${verb}`, sent)
  await server.close()
  return answer
}

/** A post where there is a form. */
export async function send(server: Server, url: string, { form, headers }: Sent = {}): Promise<Answered> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await server.inject({
    method: form ? 'POST' : 'GET',
    url,
    headers: { ...(form && type), ...headers },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })
  const { statusCode: status, body, rawPayload: raw, headers: told } = answer
  return { status, location: told.location, body, raw, headers: told }
}
