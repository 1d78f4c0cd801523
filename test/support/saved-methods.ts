import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { goodCard, newLink, type Link } from './customer.ts'
import { fieldsIn, plainText } from './fields-in.ts'
import { call, post, type Answer, type House } from './house.ts'

// A customer who agrees that a test card is saved, and a merchant who charges it later.

export type ShownTransaction = {
  readonly tx_ref: string
  readonly status: string
  readonly checkout_url?: string
  readonly saved_method?: ShownMethod
  readonly failure?: {
    readonly code: string
    readonly reason?: string
    readonly may_retry?: boolean
    readonly retry_after?: string
  }
}

export type ShownMethod = {
  readonly id: string
  readonly kind: string
  readonly brand: string
  readonly last4: string
  readonly expires: string
  readonly network: string
  readonly usable: boolean
}

/** Pays on the page, with the fields that it has. */
export async function payOnPage(
  link: Link,
  number = goodCard,
  leaveOut: readonly string[] = [],
): Promise<string> {
  const page = (await call(link.url)).text
  const fields = { ...fieldsIn(page), number, expiry: '08 / 29', cvc: '737', name: 'Ada Lovelace' }
  const sent = Object.entries(fields).filter(([name]) => !leaveOut.includes(name))
  const answer = await sendForm(`${link.url}/pay`, Object.fromEntries(sent))
  assert.equal(answer.status, 303, answer.text)
  return plainText(page)
}

export async function sendForm(url: string, fields: Record<string, string>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return call(url, { method: 'POST', body: new URLSearchParams(fields).toString(), headers })
}

/** Presses the button of the first saved method on the page. */
export async function pressSaved(link: Link): Promise<Answer> {
  const form = /<form[^>]*\/pay-saved[^]*?<\/form>/.exec((await call(link.url)).text)?.[0]
  assert.ok(form, 'a saved method is offered')
  return sendForm(`${link.url}/pay-saved`, fieldsIn(form))
}

export async function saveCard(
  house: House,
  number = goodCard,
  fields: Record<string, unknown> = {},
): Promise<ShownMethod> {
  const link = await newLink(house, { save: 'recurring', customer_ref: 'customer-77', ...fields })
  await payOnPage(link, number)
  const saved = (await lookUp(house, link.txRef)).saved_method
  assert.ok(saved, 'the card was saved')
  return saved
}

export async function lookUp(house: House, txRef: string): Promise<ShownTransaction> {
  const answer = await call(`${house.url}/api/transaction/${txRef}`, { key: house.secretKey })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}

export async function charge(
  house: House,
  id: string,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const body = { tx_ref: `charge-${randomUUID()}`, amount: '9.90', currency: 'GBP', ...fields }
  return post(`${house.url}/api/saved-methods/${id}/charges`, body, house.secretKey)
}

export async function charged(
  house: House,
  id: string,
  fields: Record<string, unknown> = {},
): Promise<ShownTransaction> {
  const answer = await charge(house, id, fields)
  assert.equal(answer.status, 202, answer.text)
  return answer.json.data
}
