import { randomBytes } from 'node:crypto'
import { Refusal } from '../../platform/errors/refusals.ts'
import { callApi, type Api } from '../reach/call-api.ts'
import { serverTrouble } from '../reach/server-trouble.ts'

// A customer of test mode who uses the checkout page as a browser would.

const exampleEmail = 'ada@example.com'

export type Payment = {
  readonly txRef: string
  readonly page: string
  /** Shows the checkout page that it is the merchant who tries, so that no decline is counted. */
  readonly key: string
}

export type Asked = {
  readonly amount: string
  readonly currency?: string | undefined
  readonly txRef?: string | undefined
  readonly callbackUrl?: string | undefined
}

/** `by` is the command, for the reference and the title. */
export async function create(api: Api, by: string, asked: Asked): Promise<Payment> {
  const txRef = asked.txRef ?? `${by}-${randomBytes(6).toString('hex')}`
  const data = await callApi(api, '/api/payment', {
    tx_ref: txRef,
    amount: asked.amount,
    currency: asked.currency ?? 'GBP',
    email: exampleEmail,
    first_name: 'Ada',
    last_name: 'Lovelace',
    customization: { title: `Made by florin ${by}` },
    ...(asked.callbackUrl !== undefined && { callback_url: asked.callbackUrl }),
  })
  return { txRef, page: (data as { checkout_url: string }).checkout_url, key: api.key }
}

export async function pay(payment: Payment, number: string): Promise<void> {
  if ((await readState(payment.page)).screen === 'email')
    await submit(payment, 'email', { email: exampleEmail })
  const year = (new Date().getUTCFullYear() + 3) % 100
  await submit(payment, 'pay', { number, expiry: `12/${year}`, cvc: '123', name: 'Ada Lovelace' })
}

export async function cancel(payment: Payment): Promise<void> {
  await submit(payment, 'cancel')
}

/** Sends a form of the checkout page with the token that the page would have put into it. */
async function submit(
  { page, key }: Payment,
  form: 'email' | 'pay' | 'cancel',
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { token } = await readState(page)
  const body = new URLSearchParams({ token, ...fields })
  const answer = await reach(`${page}/${form}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}` },
    redirect: 'manual',
  })
  await answer.body?.cancel()
  if (answer.status >= 400) throw new Refusal('unavailable', `The checkout page answered ${answer.status}`)
}

async function readState(page: string): Promise<{ readonly token: string; readonly screen: unknown }> {
  const answer = await reach(`${page}/state`, { headers: { accept: 'application/json' } })
  const { token, screen } = (await answer.json().catch(() => ({}))) as { token?: unknown; screen?: unknown }
  if (typeof token === 'string') return { token, screen }
  throw new Refusal('unavailable', `The checkout page at ${page} answered ${answer.status}`)
}

/** The page's address comes from the BASE_URL of the server, which may be one that this machine can't reach. */
async function reach(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, request).catch((cause: unknown) => {
    throw serverTrouble(new URL(url).origin, cause)
  })
}
