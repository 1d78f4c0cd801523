import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { restoreBackup } from '../src/modules/backup/restore-backup.ts'
import { writeBackup } from '../src/modules/backup/write-backup.ts'
import { holdWrites } from '../src/platform/database/spread/hold-writes.ts'
import { moveMerchant } from '../src/modules/cluster/move-merchant.ts'
import { inTransaction, type Database } from '../src/platform/database/database.ts'
import { planEachTime, sql } from '../src/platform/database/sql.ts'
import { createTestDatabase } from '../test/support/database.ts'
import { dumpRows } from '../test/support/dump-rows.ts'
import { createEmptyDatabase } from '../test/support/empty-database.ts'
import { openHouse } from '../test/support/house.ts'
import { paidPayment } from '../test/support/refunds.ts'
import { runFlorinProcess } from '../test/support/run-florin.ts'
import { testSecretsKey } from '../test/support/secrets.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { query } from './query.ts'
import type { Shop } from './shop.ts'

// Backups of a cluster while merchants on all nodes are paid, and restores into one. Run by `npm run cluster`.

let opened: ClusterHouse
let folder = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-cluster-backup-'))
  const house = await openClusterHouse({ RATE_LIMIT_BURST: '100000', RATE_LIMIT_PER_SECOND: '100000' })
  assert.ok(house, 'There is no Citus')
  opened = house
})
after(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Merchants of both nodes are paid until the work is done; how many purchases failed meanwhile. */
async function whileShopsSell<T>(work: () => Promise<T>): Promise<{ result: T; failed: number }> {
  const selling = { isOver: false, failed: 0 }
  const sell = async (shop: Shop): Promise<void> => {
    while (!selling.isOver) if (!(await shop.buy())) selling.failed += 1
  }
  const all = Promise.all(opened.shops.flatMap((shop) => [sell(shop), sell(shop)]))
  try {
    return { result: await work(), failed: selling.failed }
  } finally {
    selling.isOver = true
    await all
  }
}

/**
 * Counts on: first on the node of one merchant, then on that of the other, then on the coordinator. At no moment is a later one
 * ahead of an earlier one, or two behind.
 */
function startCounting(db: Database): { count(): number; stop(): Promise<void> } {
  const [one, other] = opened.shops
  const counting = { value: 0, isOver: false }
  const countOn = async (): Promise<void> => {
    while (!counting.isOver) {
      const value = counting.value + 1
      for (const { merchantId } of [one, other])
        await db.query(sql`update merchants set name = ${String(value)} where id = ${merchantId}`)
      await db.query(sql`
        insert into installation_times (name, at) values ('counted', to_timestamp(${value}::integer))
        on conflict (name) do update set at = excluded.at`)
      counting.value = value
    }
  }
  const counted = countOn()
  return {
    count: () => counting.value,
    async stop() {
      counting.isOver = true
      await counted
    },
  }
}

async function readCounts(url: string): Promise<number[]> {
  const names = await Promise.all(
    opened.shops.map(async ({ merchantId }) =>
      query<{ count: number }>(url, 'select name::integer as count from merchants where id = $1', [
        merchantId,
      ]),
    ),
  )
  const last = await query<{ count: number }>(
    url,
    `select extract(epoch from at)::integer as count from installation_times where name = 'counted'`,
  )
  return [...names.flat(), ...last].map(({ count }) => count)
}

test('a backup taken under load is a consistent snapshot of all nodes, and restores on a cluster', async () => {
  const { house, shops } = opened
  const file = join(folder, 'busy.backup')
  const counting = startCounting(house.db)
  await waitUntil('it counts', () => counting.count() > 2)
  const paidBefore = shops.map(({ paid }) => [...paid])
  const { result: facts, failed } = await whileShopsSell(async () =>
    writeBackup(house.databaseUrl, createWriteStream(file), {
      program: '0.0.0',
      onSnapshot: async () => {
        const until = counting.count() + 10
        // After the moment, and before a row is read.
        await waitUntil('it counts on', () => counting.count() >= until)
      },
    }),
  )
  await counting.stop()
  assert.equal(failed, 0, 'no purchase failed meanwhile')
  const restored = await createTestDatabase()
  assert.equal((await restoreBackup(restored.url, createReadStream(file))).rows, facts.rows)
  const [one = 0, other = 0, last = 0] = await readCounts(restored.url)
  const shown = `${one}, ${other}, ${last} of ${counting.count()}`
  assert.ok(
    last >= 1 && one >= other && other >= last && one - last <= 1,
    `the counts of one moment: ${shown}`,
  )
  assert.ok(counting.count() > one, 'it went on counting')
  const shards = await query(restored.url, `select from citus_shards where table_name = 'payments'::regclass`)
  assert.ok(shards.length > 1, 'what was restored is spread')
  await hasAllPaid(restored.url, paidBefore)
  await restored.drop()
})

async function hasAllPaid(url: string, paid: readonly string[][]): Promise<void> {
  for (const [at, shop] of opened.shops.entries()) {
    const rows = await query<{ tx_ref: string }>(
      url,
      `select tx_ref from payments where merchant_id = $1 and state = 'success'`,
      [shop.merchantId],
    )
    const found = new Set(rows.map((row) => row.tx_ref))
    for (const txRef of paid[at] ?? []) assert.ok(found.has(txRef), `${txRef} is paid in the backup`)
  }
}

test('while the snapshot is taken writes wait, and reads don’t', async () => {
  const { house, shops } = opened
  const [{ merchantId }] = shops
  const rename = (name: string) => sql`update merchants set name = ${name} where id = ${merchantId}`
  const read = sql`select name from merchants where id = ${merchantId}`
  await house.db.query(rename('before'))
  const { coordinator, nodes } = opened.cluster
  const name = new URL(house.databaseUrl).pathname.slice(1)
  const waiting = async (): Promise<number> => {
    const locks = [coordinator, ...nodes].map(async (node) =>
      query(node.url(name), `select from pg_locks where locktype = 'advisory' and not granted`),
    )
    return (await Promise.all(locks)).flat().length
  }
  const writes = await holdWrites(house.databaseUrl, async () => {
    const all = [
      house.db.query(rename('alone')),
      house.db.query(planEachTime(rename('planned each time'))),
      house.db.queryAll([read, rename('together')]),
      inTransaction(house.db, async (tx) => tx.query(rename('in a transaction'))),
    ]
    await waitUntil('all of them wait', async () => (await waiting()) >= all.length)
    assert.deepEqual(await house.db.query(read), [{ name: 'before' }])
    return all
  })
  await Promise.all(writes)
  assert.notDeepEqual(await house.db.query(read), [{ name: 'before' }])
})

test('a long transaction delays only the backup', async () => {
  const { house, shops } = opened
  const long = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  const open = inTransaction(house.db, async (tx) => {
    await tx.query(sql`select 1`)
    began.resolve()
    await long.promise
  })
  await began.promise
  const held = holdWrites(house.databaseUrl, async () => 'held')
  for (const shop of shops) for (let count = 0; count < 3; count += 1) assert.ok(await shop.buy())
  long.resolve()
  await open
  assert.equal(await held, 'held')
})

test('no merchant moves during a backup, and a backup fails if Citus moved shards meanwhile', async () => {
  const { house, shops } = opened
  const [one, other] = shops
  const url = house.databaseUrl
  const moved = writeBackup(url, createWriteStream(join(folder, 'moved.backup')), {
    program: '0.0.0',
    onSnapshot: async () => {
      const move = moveMerchant(url, one.merchantId, other.node, () => {})
      await assert.rejects(move, /A backup is running/)
      await moveShard(url, one, other)
    },
  })
  await assert.rejects(moved, /Shards moved between nodes/)
})

/** As Citus' own rebalancing does, which asks nobody. */
async function moveShard(url: string, from: Shop, to: Shop): Promise<void> {
  const places = [from, to].flatMap(({ node }) => node.split(':'))
  await query(
    url,
    `select citus_move_shard_placement(get_shard_id_for_distribution_column('merchants', $1::integer), $2, $3::integer, $4,
       $5::integer, shard_transfer_mode => 'block_writes')`,
    [from.merchantId, ...places],
  )
}

test('the commands back up a cluster, and restore it row by row into another cluster and a plain PostgreSQL', async () => {
  const { house, shops } = opened
  for (const shop of shops) assert.ok(await shop.buy())
  const file = join(folder, 'quiet.backup')
  const settings = { DATABASE_URL: house.databaseUrl, SECRETS_KEY: testSecretsKey }
  const backedUp = await runFlorinProcess(['backup', file], settings)
  assert.equal(backedUp.code, 0, backedUp.err)
  for (const create of [createTestDatabase, createEmptyDatabase]) {
    const target = await create()
    const restored = await runFlorinProcess(['restore', file], { ...settings, DATABASE_URL: target.url })
    assert.equal(restored.code, 0, restored.err)
    const again = join(folder, `${create.name}.backup`)
    await writeBackup(target.url, createWriteStream(again), { program: '0.0.0' })
    assert.deepEqual(await rowsIn(again), await rowsIn(file))
    await target.drop()
  }
})

/** Of each table, in order: nodes tell theirs in any. */
async function rowsIn(file: string): Promise<Map<string, string[]>> {
  const plain = await createEmptyDatabase()
  await restoreBackup(plain.url, createReadStream(file))
  const rows = await dumpRows(plain.url)
  await plain.drop()
  // When the last backup was made is noted once it is whole.
  rows.delete('installation_times')
  return rows
}

test('a restored cluster creates and takes payments', async () => {
  const file = join(folder, 'next.backup')
  await writeBackup(opened.house.databaseUrl, createWriteStream(file), { program: '0.0.0' })
  const target = await createTestDatabase()
  await restoreBackup(target.url, createReadStream(file))
  const house = await openHouse({ databaseUrl: target.url })
  await paidPayment(house)
  await house.close()
  await target.drop()
})
