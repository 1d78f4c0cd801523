import { waitUntil } from '../test/support/wait-until.ts'
import type { Fault } from './play.ts'
import { ask } from './stage.ts'

const clients = 12
const logWriters = ['walwriter', 'background writer']

/** The control for losses: commits that are acknowledged before they are on disk. */
export const controlOfLosses: Fault = {
  name: 'control: synchronous_commit off',
  clients,
  runs: { short: 1, long: 10 },
  mustBreak: ['I1'],
  stage: { postgres: { synchronous_commit: 'off', wal_writer_delay: '2s' } },
  async strike(act) {
    const { stage, load } = act
    const stopped: number[] = []
    try {
      // What could write the log to disk stands still, so that the loss does not depend on how long anything takes.
      for (const type of logWriters) stopped.push(await stopIdle(stage.databaseUrl, type))
      // Without it the kill would take the tables too.
      await ask(stage.databaseUrl, 'checkpoint')
      stopped.push(await stopIdle(stage.databaseUrl, 'checkpointer'))
      // One more than can have been committed before the checkpoint and acknowledged after it.
      const enough = load.acknowledged() + clients + 1
      await waitUntil('a create is acknowledged that is not on disk', () => load.acknowledged() >= enough)
    } catch (error) {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
      throw error
    }
    await stage.killPostgres()
    const at = Date.now()
    act.hit()
    await act.recovered(at)
  },
}

/** While it waits for work: stopped in the middle of a write, it would hold a lock that everybody else needs. */
async function stopIdle(databaseUrl: string, type: string): Promise<number> {
  let stopped = 0
  await waitUntil(`the ${type} is stopped while idle`, async () => {
    const found = await find(databaseUrl, type)
    if (!found) return false
    process.kill(found.pid, 'SIGSTOP')
    // Asked again: it may have begun to work before the signal arrived.
    if ((await find(databaseUrl, type))?.isIdle === true) {
      stopped = found.pid
      return true
    }
    process.kill(found.pid, 'SIGCONT')
    return false
  })
  return stopped
}

async function find(
  databaseUrl: string,
  type: string,
): Promise<{ pid: number; isIdle: boolean } | undefined> {
  const [row] = await ask<{ pid: number; isIdle: boolean }>(
    databaseUrl,
    `select pid, wait_event_type is not distinct from 'Activity' as "isIdle"
     from pg_stat_activity where backend_type = $1`,
    [type],
  )
  return row
}
