import type { Database } from '../database/database.ts'
import { createKey } from '../merchants/change-keys.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { listMerchants } from '../merchants/list.ts'
import { print } from './arguments.ts'

// The first start on an embedded database: a merchant to try things with, and everything needed to do so.

export type Demo = { readonly merchantId: number; readonly secretKey: string; readonly apiKey: string }

export async function hasMerchant(db: Database): Promise<boolean> {
  return (await listMerchants(db)).length > 0
}

export async function createDemo(db: Database): Promise<Demo> {
  const merchantId = await createMerchant(db, { name: 'Demo shop' })
  const secret = await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'first test key' })
  const api = await createKey(db, merchantId, { kind: 'api', name: 'first API key' })
  return { merchantId, secretKey: secret.key, apiKey: api.key }
}

export function printWelcome(baseUrl: string, demo: Demo): void {
  const strong = (text: string): string => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[22m` : text)
  const quiet = (text: string): string => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[22m` : text)
  const lines = [
    '',
    `  ${strong('Florin')}  ${quiet('first start, with a demo merchant in test mode')}`,
    '',
    `  ${quiet('Base URL  ')}  ${baseUrl}`,
    `  ${quiet('Reference ')}  ${baseUrl}/docs`,
    `  ${quiet('Merchant  ')}  ${demo.merchantId}  Demo shop`,
    `  ${quiet('Secret key')}  ${strong(demo.secretKey)}`,
    `  ${quiet('API key   ')}  ${strong(demo.apiKey)}`,
    '',
    `  ${quiet('The keys are shown this once. Make more with')} bin/florin key create`,
    '',
    `  ${quiet('Try it: create a payment, then open the checkout_url that comes back')}`,
    '',
    ...tryIt(baseUrl, demo.secretKey),
    '',
  ]
  for (const line of lines) print(line)
}

/** Flush left, so that it can be copied and pasted as it stands. */
function tryIt(baseUrl: string, secretKey: string): string[] {
  const body = {
    tx_ref: 'order-1',
    amount: '10.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  }
  return [
    `curl ${baseUrl}/api/payment -H 'Authorization: Bearer ${secretKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ]
}
