import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { AttemptState, DeclineReason, PaymentState } from '../../src/core/payments/checkout-view.ts'
import { post, type House } from './house.ts'
import { paymentRequest } from './payment-request.ts'

// A customer with a link: payments to open, cards to type, pictures of what was seen.

export type Link = { readonly digits: string; readonly url: string; readonly txRef: string }

export async function newLink(
  house: House,
  changes: Record<string, unknown> = {},
  key = house.secretKey,
): Promise<Link> {
  const request = paymentRequest(changes)
  const answer = await post(`${house.url}/api/payment`, request, key)
  if (answer.status !== 201) throw new Error(answer.text)
  const { checkout_url } = answer.json.data as { checkout_url: string }
  const digits = checkout_url.slice(-32)
  return { digits, url: `${house.url}/payment/${digits}`, txRef: String(request['tx_ref']) }
}

/** Puts a payment where a long story would lead, for looking at the page only. */
export async function putInState(
  house: House,
  link: Link,
  state: PaymentState,
  attempt?: { state: AttemptState; reason?: DeclineReason },
): Promise<void> {
  const merchantId = Number(link.digits.slice(0, 8))
  const number = link.digits.slice(8)
  if (attempt) {
    await house.db.query(sql`
      insert into attempts (merchant_id, number, attempt, state, connector, idempotency_key, decline_reason,
        card_brand, card_last4)
      values (${merchantId}, ${number}, 1, ${attempt.state}, 'test-network', ${link.digits}, ${attempt.reason ?? null},
        'Visa', '4242')`)
  }
  await house.db.query(sql`
    update payments
    set state = ${state}, updated_at = now(),
        refunded_minor = case when ${state}::text = 'refunded' then amount_minor else 0 end
    where merchant_id = ${merchantId} and number = ${number}`)
}

/** The network has decided, and it is time to ask it. */
export async function letNetworkDecide(house: House, link: Link): Promise<void> {
  const number = link.digits.slice(8)
  await house.db.query(
    sql`update attempts set next_check_at = now() - interval '1 second' where number = ${number}`,
  )
  await house.db.query(
    sql`update test_network.charges set told_from = now() where payment_number = ${number}`,
  )
  await house.app.jobs.find((job) => job.name === 'reconcile')?.run()
}

/** How many times the network took the money, by its own books. */
export async function timesCharged(house: House, link: Link): Promise<number> {
  const rows = await house.db.query(sql`
    select 1 from test_network.charges where payment_number = ${link.digits.slice(8)} and outcome = 'charged'`)
  return rows.length
}

export async function stateOf(house: House, link: Link): Promise<string | undefined> {
  const rows = await house.db.query<{ state: string }>(sql`
    select state from payments where number = ${link.digits.slice(8)}`)
  return rows[0]?.state
}

export const goodCard = '4242 4242 4242 4242'
export const challengeCard = '4000 0000 0000 3220'

export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Ada Lovelace')
}

const pictures = fileURLToPath(new URL('../../artefacts/checkout/', import.meta.url))

/** For people to look at, outside git, when they ask for it: a picture of a whole page takes as long as paying. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['TEST_PICTURES'] !== 'on') return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}
