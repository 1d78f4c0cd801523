import { waitUntil } from '../test/support/wait-until.ts'
import { controlOfDoubles, crowdFaults } from './crowd-faults.ts'
import { controlOfCharges, liveFaults } from './live/faults.ts'
import { mailFaults } from './mail-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { networkFaults } from './network-faults.ts'
import type { Fault } from './play.ts'
import { receiverFaults } from './receiver-faults.ts'
import { pointFaults, serverFaults } from './server-faults.ts'
import { ask } from './stage.ts'

const clients = 12

/** The control for losses: commits that are acknowledged before they are on disk. */
const controlOfLosses: Fault = {
  name: 'control: synchronous_commit off',
  clients,
  runs: { short: 1, long: 10 },
  mustBreak: ['I1'],
  stage: { postgres: { synchronous_commit: 'off' } },
  async strike(act) {
    const { stage, load } = act
    // Whoever could write the log to disk stands still, so that the loss does not depend on how long anything takes.
    const writers = await ask<{ pid: number; type: string }>(
      stage.databaseUrl,
      `select pid, backend_type as type from pg_stat_activity
       where backend_type in ('walwriter', 'background writer', 'checkpointer')`,
    )
    const stop = (isStopped: (type: string) => boolean): void => {
      for (const { pid, type } of writers) if (isStopped(type)) process.kill(pid, 'SIGSTOP')
    }
    try {
      stop((type) => type !== 'checkpointer')
      // Without it the kill would take the tables too.
      await ask(stage.databaseUrl, 'checkpoint')
      stop((type) => type === 'checkpointer')
      const enough = load.acknowledged() + clients + 1
      // One more than can have been committed before the checkpoint and acknowledged after it.
      await waitUntil('a create is acknowledged that is not on disk', () => load.acknowledged() >= enough)
      await stage.killPostgres()
    } catch (error) {
      for (const { pid } of writers) process.kill(pid, 'SIGCONT')
      throw error
    }
    const at = Date.now()
    act.hit()
    await act.recovered(at)
  },
}

export const faults: readonly Fault[] = [
  ...databaseFaults,
  ...serverFaults,
  ...pointFaults,
  ...receiverFaults,
  ...crowdFaults,
  ...networkFaults,
  ...liveFaults,
  ...mailFaults,
  controlOfLosses,
  controlOfDoubles,
  controlOfCharges,
]

export const leftOut =
  'Left out: a full disk. It takes a small file system of its own, which needs root to make: ' +
  'mount -t tmpfs -o size=300m tmpfs /mnt/small, then --disk /mnt/small.'
