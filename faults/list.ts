import { setTimeout as pause } from 'node:timers/promises'
import { controlOfDoubles, crowdFaults } from './crowd-faults.ts'
import { controlOfCharges, liveFaults } from './live/faults.ts'
import { mailFaults } from './mail-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { networkFaults } from './network-faults.ts'
import type { Fault } from './play.ts'
import { receiverFaults } from './receiver-faults.ts'
import { pointFaults, serverFaults } from './server-faults.ts'
import { ask } from './stage.ts'

/** The control for losses: commits that are acknowledged before they are on disk. */
const controlOfLosses: Fault = {
  name: 'control: synchronous_commit off',
  clients: 12,
  runs: { short: 1, long: 10 },
  mustBreak: ['I1'],
  stage: { postgres: { synchronous_commit: 'off', wal_writer_delay: '2s' } },
  // Without it the kill would take the tables too.
  begin: async ({ stage }) => void (await ask(stage.databaseUrl, 'checkpoint')),
  async strike(act) {
    await pause(act.random.whole(300, 600))
    await act.stage.killPostgres()
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
