import { crowdFaults } from './crowd-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { faults } from './list.ts'
import { liveFaults } from './live/faults.ts'
import { networkFaults } from './network-faults.ts'
import type { Fault } from './play.ts'
import { receiverFaults } from './receiver-faults.ts'
import { points, type Point, type PointName } from './points.ts'
import { killedWhen, pointFaults, serverFaults } from './server-faults.ts'

// Which faults `npm run test:long` plays together, one after the other on one stage: opening a stage costs as much as
// striking five times.

const isAlone = ({ mustBreak, stage, alone }: Fault): boolean =>
  Boolean(mustBreak ?? alone ?? (stage && !stage.live))

const shared = (all: readonly Fault[]): readonly Fault[] => all.filter((fault) => !isAlone(fault))
const dies = ({ name }: Fault): boolean => name.startsWith('server killed')

/** A server that is started again takes two seconds of processor time; these are struck without one. */
export const leftToStrikes = (Object.keys(points) as PointName[])
  .filter((name) => (points[name] as Point).inStrikes)
  .map((name) => killedWhen(name).name)

export const stages = {
  'the database fails, or the connection to it': shared(databaseFaults),
  'servers and workers die at random, stop or lose the time': shared(serverFaults),
  'servers die at the named points of a payment': shared(pointFaults).filter(
    ({ name }) => !isOfRefund(name) && !isOfPayout(name),
  ),
  'servers die at the named points of a refund': shared(pointFaults).filter(({ name }) => isOfRefund(name)),
  'servers die while payouts are copied': shared(pointFaults).filter(({ name }) => isOfPayout(name)),
  'receivers or the network misbehave, or many come at once': shared([
    ...receiverFaults,
    ...crowdFaults,
    ...networkFaults,
  ]),
  'servers die while live payments are made': shared(liveFaults).filter(
    (fault) => dies(fault) && !leftToStrikes.includes(fault.name),
  ),
  'live networks and their callbacks misbehave': shared(liveFaults).filter((fault) => !dies(fault)),
} as const satisfies Record<string, readonly Fault[]>

export type StageName = keyof typeof stages

export const playedAlone: readonly Fault[] = faults.filter(isAlone)

function isOfRefund(name: string): boolean {
  return name.includes('refund') || name.includes('money back')
}

function isOfPayout(name: string): boolean {
  return name.includes('payout') || name.includes('ledger')
}
