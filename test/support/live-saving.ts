import assert from 'node:assert/strict'
import { sql } from '../../src/platform/database/sql.ts'
import { newLink, type Link } from './customer.ts'
import { fieldsIn } from './fields-in.ts'
import { call, type House } from './house.ts'
import type { LiveHouse } from './networks/live-house.ts'
import { lookUp, type ShownMethod } from './saved-methods.ts'

// A customer of a live shop who agrees, on our page, that a network saves what they pay with.

export type SavingNetwork = 'stripe' | 'gocardless' | 'paystack'

const choices = {
  stripe: { method: 'card', currency: 'GBP' },
  gocardless: { method: 'bank', currency: 'GBP' },
  paystack: { method: 'card', currency: 'ZAR' },
} as const

/** The same house, whose calls of the API are live. */
export function liveCalls<H extends House>(house: H): H {
  return { ...house, secretKey: house.liveKey }
}

/** Agrees and is sent to the network's page; returns the network's name of the order. */
export async function agreeAndLeave(
  house: LiveHouse,
  network: SavingNetwork,
  fields: Record<string, unknown> = {},
): Promise<Link & { reference: string; page: string }> {
  const { method, currency } = choices[network]
  // Nobody delivers anything there: it is looked up what would be sent.
  const callback_url = 'https://shop.example.com/notifications'
  const saving = { save: 'recurring', customer_ref: 'customer-77', callback_url }
  const link = await newLink(house, { currency, ...saving, ...fields }, house.liveKey)
  const { text: page } = await call(link.url)
  const form = { ...fieldsIn(page), account: house.accountIds[network], method }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  const answer = await call(`${link.url}/choose`, { method: 'POST', body, headers })
  assert.match(answer.headers.get('location') ?? '', /\/away/, answer.text)
  const [row] = await house.db.query<{ connector_reference: string; page_url: string }>(sql`
    select connector_reference, page_url from attempts where number = ${link.digits.slice(8)}`)
  if (!row) throw new Error('nothing was opened')
  return { ...link, reference: row.connector_reference, page: row.page_url }
}

export async function saveAt(
  house: LiveHouse,
  network: SavingNetwork,
  fields: Record<string, unknown> = {},
): Promise<ShownMethod & { readonly txRef: string }> {
  const { reference, page, txRef } = await agreeAndLeave(house, network, fields)
  if (network === 'gocardless') house.networks.gocardless.act(page.slice(page.lastIndexOf('/') + 1), 'pay')
  else house.networks[network].act(reference, 'pay')
  const { saved_method: saved } = await lookUp(liveCalls(house), txRef)
  assert.ok(saved, 'the method was saved')
  return { ...saved, txRef }
}
