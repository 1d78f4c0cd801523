import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate, readMigrations, type Migration } from '../src/platform/database/migrate.ts'
import { reachWithinMs, type Act, type Fault } from './play.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { ask } from './stage.ts'

// What happens to the database and to the way there.

export const databaseFaults: readonly Fault[] = [
  {
    name: 'PostgreSQL killed',
    clients: 12,
    runs: { short: 1, long: 1000 },
    async strike(act) {
      await pause(act.random.whole(20, 300))
      await act.stage.killPostgres()
      const at = Date.now()
      act.hit()
      await act.recovered(at)
    },
  },
  {
    name: 'a PostgreSQL backend killed',
    clients: 12,
    runs: { short: 1, long: 200 },
    async strike(act) {
      await pause(act.random.whole(20, 300))
      let backends: { pid: number }[] = []
      // After the strike before, all backends were ended and the server is only coming back.
      await waitUntil('the server is connected', async () => {
        backends = await ask<{ pid: number }>(
          act.stage.databaseUrl,
          `select pid from pg_stat_activity where application_name = 'florin' order by pid`,
        )
        return backends.length > 0
      })
      const at = Date.now()
      process.kill(act.random.pick(backends).pid, 'SIGKILL')
      act.hit()
      await act.recovered(at)
    },
  },
  {
    name: 'the answer to COMMIT cut off',
    clients: 12,
    runs: { short: 8, long: 5000 },
    async strike(act) {
      const { proxy } = act.stage
      let skip = act.random.whole(0, 6)
      const at = Date.now()
      await new Promise<void>((resolve) => {
        proxy.cutAfterCommit(() => {
          skip -= 1
          if (skip >= 0) return false
          proxy.cutAfterCommit(() => false)
          resolve()
          return true
        })
      })
      act.hit()
      await act.recovered(at)
    },
  },
  {
    name: 'database slow',
    clients: 12,
    runs: { short: 1, long: 20 },
    async strike(act) {
      act.stage.proxy.delay(act.random.whole(100, 800))
      await pause(1_500)
      act.stage.proxy.delay(0)
      act.hit()
      await act.recovered(Date.now())
    },
  },
  {
    name: 'database black hole',
    clients: 12,
    runs: { short: 1, long: 20 },
    async strike(act) {
      const { proxy } = act.stage
      proxy.blackHole(true)
      // Long enough for queries to give up, and sometimes so short that none does.
      await pause(act.hurry ? 5_000 : act.random.pick([1_000, 5_000, 12_000]))
      const at = Date.now()
      proxy.blackHole(false)
      act.hit()
      await act.recovered(at)
    },
  },
  {
    // Unlike behind a black hole, what was sent is done later, when the answer has long been given.
    name: 'PostgreSQL stands still',
    clients: 12,
    runs: { short: 1, long: 20 },
    async strike(act) {
      await act.stage.freezePostgres(act.hurry ? 7_000 : act.random.pick([2_000, 7_000, 12_000]))
      act.hit()
      await act.recovered(Date.now())
    },
  },
  {
    name: 'connections reset',
    clients: 12,
    runs: { short: 2, long: 500 },
    async strike(act) {
      await pause(act.random.whole(5, 100))
      // After the strike before, the server may have no connection yet that could be reset.
      await waitUntil('the server is connected', () => act.stage.proxy.reset() > 0)
      const at = Date.now()
      act.hit()
      await act.recovered(at)
    },
  },
  {
    name: 'PostgreSQL restarted',
    clients: 12,
    runs: { short: 1, long: 50 },
    async strike(act) {
      await pause(act.random.whole(20, 300))
      await act.stage.killPostgres('SIGINT')
      const at = Date.now()
      act.hit()
      await act.recovered(at)
    },
  },
  {
    name: 'all connections used',
    clients: 12,
    runs: { short: 1, long: 20 },
    async strike(act) {
      const others = await takeConnections(act)
      act.stage.proxy.reset()
      await pause(1_500)
      const at = Date.now()
      await Promise.all(others.map((client) => client.end().catch(() => {})))
      act.hit()
      await act.recovered(at)
    },
  },
  {
    name: 'migration under load',
    alone: true,
    clients: 12,
    runs: { short: 1, long: 20 },
    async strike(act) {
      const { databaseUrl } = act.stage
      const known = (await ask<{ number: number }>(databaseUrl, 'select number from schema_migrations'))
        .length
      const backup = await holdTable(databaseUrl)
      const running = migrate(databaseUrl, nextRelease(known + 1))
      const at = Date.now()
      // A backup holds the table for a while: whoever waits behind the migration must not wait for the backup too.
      await act.recovered(at)
      await pause(act.hurry ? 1_000 : 5_000)
      await backup.end()
      await running
      if (!(await isReady(act)))
        act.breaks('answers', 'a running server is not ready once the next release has migrated')
      act.hit()
      await act.recovered(Date.now())
    },
  },
]

/** 503 is what it says too while the machine is so busy that the database does not answer in time. */
async function isReady({ stage }: Act): Promise<boolean> {
  const deadline = Date.now() + reachWithinMs
  for (;;) {
    const answer = await fetch(`${stage.server().url}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.status === 200 || Date.now() > deadline) return answer?.status === 200
    await pause(200)
  }
}

async function takeConnections(act: Act): Promise<pg.Client[]> {
  const clients: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString: act.stage.databaseUrl })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch {
      return clients
    }
    clients.push(client)
  }
}

async function holdTable(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin; select count(*) from payments')
  return client
}

/** What the next release might bring: a column and an index on the busiest table. */
function nextRelease(count: number): Migration[] {
  const ours = readMigrations()
  const text = (number: number): string =>
    `alter table payments add column later_${number} text; create index on payments (merchant_id, later_${number})`
  const later = Array.from({ length: count - ours.length }, (_, index) => ours.length + index + 1)
  const more = later.map((number) => ({
    number,
    name: `${number}_later`,
    text: text(number),
    checksum: `later ${number}`,
  }))
  return [...ours, ...more]
}
