import { sql } from '../../src/platform/database/sql.ts'
import { isSolved } from '../../src/core/payments/card-testing/proof.ts'
import type { Link } from './customer.ts'
import { call, type Answer, type House } from './house.ts'

// Somebody who tries cards on the checkout without a browser, from any address: the house believes a proxy.

export const believesProxy = { TRUSTED_PROXIES: '127.0.0.1' }

export const declining = [
  '4000000000000002',
  '4000000000009995',
  '4000000000000069',
  '4000000000000127',
] as const

export type Try = {
  readonly number?: string
  readonly from?: string
  readonly fields?: Record<string, string>
  readonly headers?: Record<string, string>
}

export async function tryCard(house: House, link: Link, how: Try = {}): Promise<Answer> {
  const state = await call(`${house.url}/payment/${link.digits}/state`)
  const { token } = state.json as unknown as { token: string }
  const card = { number: how.number ?? declining[0], expiry: '12 / 40', cvc: '123', name: 'Ada Lovelace' }
  return call(`${house.url}/payment/${link.digits}/pay`, {
    method: 'POST',
    body: new URLSearchParams({ token, ...card, ...how.fields }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': how.from ?? '203.0.113.7',
      ...how.headers,
    },
  })
}

export async function countAttempts(house: House): Promise<number> {
  const rows = await house.db.query<{ count: number }>(sql`
    select count(*)::integer as count from attempts where merchant_id = ${house.merchantId}`)
  return rows[0]?.count ?? 0
}

/** Of the page of a payment, as the address sees it. */
export async function openPage(house: House, link: Link, from: string, language = 'en'): Promise<string> {
  const headers = { 'x-forwarded-for': from, 'accept-language': language }
  return (await call(`${house.url}/payment/${link.digits}`, { headers })).text
}

export function hidden(page: string, name: string): string | undefined {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]
}

/** Finds the proof that a page asks for, as its script does. */
export async function solve(page: string): Promise<Record<string, string>> {
  const proof = hidden(page, 'proof') ?? ''
  const [, , bits, signature = ''] = proof.split('.')
  for (let nonce = 0; ; nonce += 1) {
    if (isSolved(signature, String(nonce), Number(bits))) return { proof, nonce: String(nonce) }
  }
}
