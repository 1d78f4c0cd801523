import { createKey } from '../src/core/merchants/change-keys.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { call, post, type House } from '../test/support/house.ts'
import { openReceiver, type Receiver } from '../test/support/receiver.ts'
import { cards } from '../test/support/till.ts'
import { query } from './query.ts'

// A merchant on a node that is known, with a receiver of its own, and what it does: create, pay, be notified.

export type Shop = {
  readonly merchantId: number
  /** As host:port. */
  readonly node: string
  readonly receiver: Receiver
  /** The tx_refs of payments whose creation was acknowledged. */
  readonly created: string[]
  /** The tx_refs of payments that were answered as paid. */
  readonly paid: string[]
  /** Creates a payment and pays it; false when Florin did not answer that it did. */
  buy(): Promise<boolean>
  stateOf(txRef: string): Promise<string>
  close(): Promise<void>
}

const merchantsMax = 50

/** One merchant on each of the nodes that hold rows. */
export async function openShops(house: House): Promise<Shop[]> {
  const nodes = await query<{ node: string }>(
    house.databaseUrl,
    `select nodename || ':' || nodeport as node from pg_dist_node where shouldhaveshards order by nodeid`,
  )
  const shops = new Map<string, Shop>()
  for (let tries = 0; shops.size < nodes.length && tries < merchantsMax; tries += 1) {
    const merchantId = await createMerchant(house.db, { name: `Shop ${tries}` })
    const node = await nodeOf(house.databaseUrl, merchantId)
    if (!shops.has(node)) shops.set(node, await openShop(house, merchantId, node))
  }
  return nodes.flatMap(({ node }) => shops.get(node) ?? [])
}

export async function nodeOf(url: string, merchantId: number): Promise<string> {
  const [row] = await query<{ node: string }>(
    url,
    `select nodename || ':' || nodeport as node from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('merchants', $1::integer)`,
    [merchantId],
  )
  return row?.node ?? ''
}

/** The number of the shard of this table with the merchant's rows. */
export async function shardNumber(url: string, table: string, merchantId: number): Promise<string> {
  const [row] = await query<{ shard: string }>(
    url,
    'select get_shard_id_for_distribution_column($1::text::regclass, $2::integer)::text as shard',
    [table, merchantId],
  )
  return row?.shard ?? ''
}

async function openShop(house: House, merchantId: number, node: string): Promise<Shop> {
  const { key } = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'shop' })
  const receiver = await openReceiver()
  const created: string[] = []
  const paid: string[] = []
  let count = 0
  return {
    merchantId,
    node,
    receiver,
    created,
    paid,
    async buy() {
      const txRef = `shop-${merchantId}-${(count += 1)}`
      const answer = await post(`${house.url}/api/payment`, requestOf(txRef, receiver.url), key)
      if (answer.status !== 201) return false
      created.push(txRef)
      const { checkout_url } = answer.json.data as { checkout_url: string }
      const number = checkout_url.slice(-24)
      const result = await house.app.payer
        .pay({ merchantId, number, mode: 'test' }, cards.good)
        .catch(() => undefined)
      if (result?.kind !== 'paid') return false
      paid.push(txRef)
      return true
    },
    async stateOf(txRef) {
      const answer = await call(`${house.url}/api/transaction/${txRef}`, { key })
      return answer.status === 200 ? (answer.json.data as { status: string }).status : String(answer.status)
    },
    close: async () => receiver.close(),
  }
}

function requestOf(txRef: string, callbackUrl: string): object {
  return {
    tx_ref: txRef,
    amount: '12.50',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: callbackUrl,
  }
}
