import { controlOfDoubles, crowdFaults } from './crowd-faults.ts'
import { controlOfCharges, liveFaults } from './live/faults.ts'
import { mailFaults } from './mail-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { controlOfLosses } from './loss-control.ts'
import { controlOfDeclines } from './decline-control.ts'
import { networkFaults } from './network-faults.ts'
import type { Fault } from './play.ts'
import { receiverFaults } from './receiver-faults.ts'
import { pointFaults, serverFaults } from './server-faults.ts'

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
  controlOfDeclines,
]

export const leftOut =
  'Left out: a full disk. It takes a small file system of its own, which needs root to make: ' +
  'mount -t tmpfs -o size=300m tmpfs /mnt/small, then --disk /mnt/small.'
