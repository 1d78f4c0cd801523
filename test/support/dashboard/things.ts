import { createKey } from '../../../src/core/merchants/change-keys.ts'
import { createProject } from '../../../src/core/projects/create-project.ts'
import { call, post, type House } from '../house.ts'
import { paidPayment } from '../refunds.ts'
import { saveCard } from '../saved-methods.ts'
import { refundMail, someDelivery, someDispute, somePayout, someRefund } from '../shop-day.ts'
import type { Visitor } from '../visitor.ts'

/** One thing of each kind that a path of the dashboard can name, by the parameter's name. The owner is signed in. */
export async function openThings(house: House, owner: Visitor): Promise<Record<string, string>> {
  const payment = await paidPayment(house)
  const { id: key } = await createKey(house.db, house.merchantId, { kind: 'secret', name: 'walked' })
  const asked = await call(`${house.url}/api/transactions`, { key: house.secretKey })
  await house.app.flush()
  const { id: project } = await createProject(house.db, house.merchantId, { project: 'Fair' })
  const links = `/dashboard/${house.merchantId}/test/links`
  const made = await owner.fill(`${links}/new`, { kind: 'reusable', title: 'Fair', currency: 'GBP' })
  const endpoint = await post(`${house.url}/api/endpoints`, { url: 'http://127.0.0.1:9/' }, house.secretKey)
  return {
    merchant: String(house.merchantId),
    mode: 'test',
    network: 'stripe',
    currency: 'GBP',
    what: 'checkout',
    secret: 'x'.repeat(32),
    tx_ref: payment.txRef,
    number: payment.number,
    key,
    request: asked.headers.get('x-request-id') ?? '',
    project,
    link: made.to.slice(links.length + 1),
    endpoint: (endpoint.json.data as { id: string }).id,
    refund: (await someRefund(house)).id,
    dispute: (await someDispute(house)).id,
    payout: await somePayout(house),
    delivery: await someDelivery(house),
    mail: await refundMail(house),
    method: (await saveCard(house)).id,
  }
}

/** The address of a route; a parameter without a value stays as its name. */
export function fillPath(route: string, values: Readonly<Record<string, string>>): string {
  return route.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? name).replace('*', 'nothing')
}
