import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { createKey } from '../src/core/merchants/change-keys.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { call, post, type House } from '../test/support/house.ts'
import { paymentRequest } from '../test/support/payment-request.ts'
import { runFlorinProcess } from '../test/support/run-florin.ts'
import { openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { query } from './query.ts'
import { nodeOf } from './shop.ts'

// Twenty merchants with ten calls a second each, while one of them moves and while Citus rebalances: only merchants whose
// shard moves notice. Run by `npm run cluster`.

const merchantCount = 20
const everyMs = 100
/** Of one merchant at once: all merchants of a shard together have more than there are connections to the database. */
const underWayMax = 10

let opened: ClusterHouse
before(async () => {
  const house = await openClusterHouse({
    RATE_LIMIT_BURST: '100000',
    RATE_LIMIT_PER_SECOND: '100000',
    MAX_CONNECTIONS_PER_ADDRESS: '5000',
  })
  assert.ok(house, 'There is no Citus')
  opened = house
})
after(() => opened.close())

type Caller = { readonly id: number; readonly key: string; readonly shard: string; readonly node: string }

async function openCallers({ db, databaseUrl }: House): Promise<Caller[]> {
  const callers: Caller[] = []
  for (let count = 0; count < merchantCount; count += 1) {
    const id = await createMerchant(db, { name: `Caller ${count}` })
    const { key } = await createKey(db, id, { kind: 'secret', mode: 'test', name: 'calls' })
    callers.push({ id, key, shard: await shardOf(databaseUrl, id), node: await nodeOf(databaseUrl, id) })
  }
  return callers
}

async function shardOf(url: string, merchantId: number): Promise<string> {
  const [row] = await query<{ shard: string }>(
    url,
    `select get_shard_id_for_distribution_column('merchants', $1::integer)::text as shard`,
    [merchantId],
  )
  return row?.shard ?? ''
}

type Tally = { answered: number; failed: number; slowestMs: number }

/** Calls of each merchant until the work is done: create, look up, cancel. */
async function whileCalled<T>(
  { url }: House,
  callers: readonly Caller[],
  work: () => Promise<T>,
): Promise<{ result: T; tallies: Map<number, Tally> }> {
  const tallies = new Map(callers.map(({ id }) => [id, { answered: 0, failed: 0, slowestMs: 0 }]))
  const underWay = new Set<Promise<void>>()
  const visit = async ({ id, key }: Caller): Promise<void> => {
    const tally = tallies.get(id) as Tally
    const request = paymentRequest()
    const began = performance.now()
    const path = `${url}/api/transaction/${String(request['tx_ref'])}`
    const statuses = [
      (await post(`${url}/api/payment`, request, key)).status,
      (await call(path, { key })).status,
      (await call(`${path}/cancel`, { method: 'POST', key })).status,
    ]
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began)
    tally.answered += statuses.filter((status) => status < 300).length
    tally.failed += statuses.filter((status) => status >= 500).length
  }
  const counts = new Map<number, number>()
  const timers = callers.map((caller) =>
    setInterval(() => {
      const count = counts.get(caller.id) ?? 0
      if (count >= underWayMax) return
      counts.set(caller.id, count + 1)
      const visiting = visit(caller).finally(() => {
        counts.set(caller.id, (counts.get(caller.id) ?? 1) - 1)
        underWay.delete(visiting)
      })
      underWay.add(visiting)
    }, everyMs * 3),
  )
  try {
    return { result: await work(), tallies }
  } finally {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(underWay)
  }
}

function report(context: TestContext, tallies: Map<number, Tally>, moved: ReadonlySet<number>): void {
  for (const [name, isMoved] of [
    ['in a shard that moved', true],
    ['elsewhere', false],
  ] as const) {
    const all = [...tallies].filter(([id]) => moved.has(id) === isMoved).map(([, tally]) => tally)
    const sum = (count: (tally: Tally) => number): number => all.reduce((total, one) => total + count(one), 0)
    const slowest = Math.max(0, ...all.map(({ slowestMs }) => slowestMs)) / 1000
    context.diagnostic(
      `note: ${all.length} merchants ${name}: ${sum(({ answered }) => answered)} calls answered, ` +
        `${sum(({ failed }) => failed)} failed, slowest visit ${slowest.toFixed(1)} s`,
    )
  }
}

function failedElsewhere(tallies: Map<number, Tally>, moved: ReadonlySet<number>): number {
  return [...tallies].reduce((sum, [id, { failed }]) => sum + (moved.has(id) ? 0 : failed), 0)
}

test('`florin merchant move` under the load of twenty merchants fails no call of a merchant in another shard', async (context) => {
  const { house, shops } = opened
  const callers = await openCallers(house)
  const [mover] = callers
  assert.ok(mover)
  const to = shops.find(({ node }) => node !== mover.node)?.node ?? ''
  const settings = { DATABASE_URL: house.databaseUrl, BASE_URL: 'http://127.0.0.1:1' }
  const { result, tallies } = await whileCalled(house, callers, async () =>
    runFlorinProcess(['merchant', 'move', String(mover.id), '--to', to], settings),
  )
  assert.equal(result.code, 0, result.err)
  const moved = new Set(callers.filter(({ shard }) => shard === mover.shard).map(({ id }) => id))
  report(context, tallies, moved)
  assert.equal(failedElsewhere(tallies, moved), 0)
})

test('a rebalance under the load of twenty merchants fails no call of a merchant whose shard stays', async (context) => {
  const { house, cluster } = opened
  const url = house.databaseUrl
  const callers = await openCallers(house)
  const [drained] = cluster.nodes
  const moving = new Set(callers.filter(({ node }) => node.endsWith(`:${drained?.port}`)).map(({ id }) => id))
  const { tallies } = await whileCalled(house, callers, async () => {
    await query(url, `select citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', false)`, [
      drained?.port,
    ])
    await query(url, `select citus_rebalance_start(shard_transfer_mode := 'block_writes')`)
    await refusesToMove(house, callers[0]?.id ?? 0, cluster.nodes[1]?.port ?? 0)
    await query(url, 'select citus_rebalance_wait()')
  })
  report(context, tallies, moving)
  assert.equal(failedElsewhere(tallies, moving), 0)
  for (const { id } of callers) assert.ok((tallies.get(id)?.answered ?? 0) > 0)
})

/** One sentence, or the move itself where the rebalance happened to be over. */
async function refusesToMove({ databaseUrl }: House, merchantId: number, port: number): Promise<void> {
  const moved = await runFlorinProcess(
    ['merchant', 'move', String(merchantId), '--to', `127.0.0.1:${port}`],
    { DATABASE_URL: databaseUrl, BASE_URL: 'http://127.0.0.1:1' },
  )
  if (moved.code !== 0) assert.match(moved.err, /^[^\n]*Citus is moving shards right now[^\n]*\n$/)
}
