import { openHouse, type House } from '../test/support/house.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { createTemplate, setEnvironment, testEnvironment } from './databases.ts'
import { findCitus } from './find-citus.ts'
import { query } from './query.ts'
import { nodeOf, openShops, shardNumber, type Shop } from './shop.ts'
import { startCluster, type CitusCluster } from './start-cluster.ts'

// A whole Florin with its worker on a cluster of its own, and a merchant on each node.

export type ClusterHouse = {
  readonly cluster: CitusCluster
  readonly house: House
  readonly shops: readonly [Shop, Shop]
  close(): Promise<void>
}

/** Undefined where there is no Citus. */
export async function openClusterHouse(
  settings: Record<string, string> = {},
): Promise<ClusterHouse | undefined> {
  const programs = findCitus()
  if (programs === undefined) return undefined
  const cluster = await startCluster(programs)
  try {
    await createTemplate(cluster)
    const restoreEnvironment = setEnvironment(testEnvironment(cluster))
    const house = await openHouse({ settings, world: { role: 'florin server and worker' } })
    const worker = house.app.startWorker()
    const shops = (await openShops(house)) as [Shop, Shop]
    const close = async (): Promise<void> => {
      await worker.stop()
      await Promise.all(shops.map(async (shop) => shop.close()))
      await house.app.close()
      // With all databases in it.
      await cluster.stop()
      restoreEnvironment()
    }
    return { cluster, house, shops, close }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** Every payment that was answered as paid has been told to the merchant's receiver. */
export async function hearOfAll(shop: Shop): Promise<void> {
  await waitUntil(`merchant ${shop.merchantId} hears of every payment that was paid`, () => {
    const heard = shop.receiver.received.map(({ body }) => body).join('\n')
    return shop.paid.every((txRef) => heard.includes(`"${txRef}"`))
  })
}

/** Its statements go to its node, about the shards there: Florin learns of nodes in the background. */
export async function goesStraight({ cluster, house }: ClusterHouse, shop: Shop): Promise<void> {
  const at = await nodeOf(house.databaseUrl, shop.merchantId)
  const node = cluster.nodes.find(({ port }) => at.endsWith(`:${port}`))
  const url = node?.url(new URL(house.databaseUrl).pathname.slice(1)) ?? ''
  await waitUntil(`statements of merchant ${shop.merchantId} go straight to ${at}`, async () => {
    await shop.stateOf('anything')
    const shard = await shardNumber(house.databaseUrl, 'payments', shop.merchantId)
    const rows = await query(
      url,
      `select from pg_stat_activity where query ~ $1 and pid <> pg_backend_pid()`,
      [`payments_${shard} as payments`],
    )
    return rows.length > 0
  })
}
