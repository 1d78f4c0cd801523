import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { redactUrl } from '../../../platform/input/erased.ts'
import type { Customer } from '../../privacy/personal-rows.ts'
import {
  listEndpointRows,
  lockEndpoint,
  renameTarget,
  updateEndpoint,
  type EndpointRow,
} from './endpoint-store.ts'

// An endpoint is a setting of the shop, but a merchant may have put a customer's address into its URL or description.

type Erased = { readonly row: EndpointRow; readonly url: string; readonly description: string }

async function listAll(db: Queryable, merchantId: number): Promise<EndpointRow[]> {
  const live = await listEndpointRows(db, { merchantId, mode: 'live', limit: rowsMax })
  return [...live, ...(await listEndpointRows(db, { merchantId, mode: 'test', limit: rowsMax }))]
}

/** More than there are slots. */
const rowsMax = 100

async function findNaming(
  db: Queryable,
  { merchantId, redactStrictly }: Pick<Customer, 'merchantId' | 'redactStrictly'>,
): Promise<Erased[]> {
  const rows = await listAll(db, merchantId)
  return rows
    .map((row) => ({
      row,
      url: redactUrl(row.url, redactStrictly),
      description: redactStrictly(row.description),
    }))
    .filter(({ row, url, description }) => url !== row.url || description !== row.description)
}

export async function endpointsNaming(db: Queryable, customer: Customer): Promise<object[]> {
  return (await findNaming(db, customer)).map(({ row }) => row)
}

/** Later notifications go to the changed URL: the merchant has to set a new one. Returns how many were changed. */
export async function eraseFromEndpoints(tx: Transaction, customer: Customer): Promise<number> {
  const erased = await findNaming(tx, customer)
  for (const { row, url, description } of erased) {
    const of = { merchantId: customer.merchantId, mode: row.mode, id: row.id }
    await lockEndpoint(tx, of)
    const others = await listAll(tx, customer.merchantId)
    const isTaken = others.some((one) => one.id !== row.id && one.mode === row.mode && one.url === url)
    const to = isTaken ? `${url}${url.includes('?') ? '&' : '?'}${row.id}` : url
    await updateEndpoint(tx, of, { url: to, description, events: row.events })
    if (to !== row.url) await renameTarget(tx, of, { from: row.url, to })
  }
  return erased.length
}
