import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { checkPromises, type Broken } from '../faults/check.ts'
import { settle, within, type Report } from '../faults/play.ts'
import { makeRandom, type Random } from '../faults/random.ts'
import { describeBroken, tableOf } from '../faults/report.ts'
import type { Witness } from '../faults/stage.ts'
import { openClusterStage, type ClusterStage, type Side } from './fault-stage.ts'
import { findCitus } from './find-citus.ts'
import { query } from './query.ts'

// Run by `npm run cluster`: nodes, the coordinator and the server are killed under load, one after the other. Then the
// promises of docs/reliability.md are checked for the merchants of both nodes.

const seed = 20261116
const runs = Number(process.env['CLUSTER_FAULTS'] ?? 3)
const timeout = 1_500_000
const backWithinMs = 120_000
const settleWithinMs = 240_000
/** How many creates the other node's merchant has to be answered while the first one's node is away. */
const goingOn = 20
// What was on its way to a client when the fault struck is not a recovery.
const onItsWayMs = 25

type Act = {
  readonly stage: ClusterStage
  readonly random: Random
  readonly breaks: (broken: Broken) => void
}

type ClusterFault = {
  readonly name: string
  /** Returns whose loads have to be answered again. */
  readonly strike: (act: Act) => Promise<readonly Side[]>
}

const faults: readonly ClusterFault[] = [
  {
    name: 'a node killed, and back after a while',
    async strike(act) {
      const [lost, other] = anyOrder(act)
      await lost.node.kill()
      await goesOn(act, other)
      await lost.node.start()
      return [lost, other]
    },
  },
  {
    name: 'a node killed, and back at once',
    async strike(act) {
      const [lost, other] = anyOrder(act)
      await lost.node.kill()
      await lost.node.start()
      return [lost, other]
    },
  },
  {
    name: 'the coordinator killed',
    async strike({ stage }) {
      await stage.cluster.coordinator.kill()
      await stage.cluster.coordinator.start()
      return stage.sides
    },
  },
  {
    name: 'the coordinator and a node killed',
    async strike(act) {
      const [lost, other] = anyOrder(act)
      const { coordinator } = act.stage.cluster
      await Promise.all([coordinator.kill(), lost.node.kill()])
      await coordinator.start()
      await goesOn(act, other)
      await lost.node.start()
      return [lost, other]
    },
  },
  {
    name: 'the server killed',
    async strike({ stage }) {
      stage.server().kill('SIGKILL')
      await stage.server().ended
      await stage.startServer()
      return stage.sides
    },
  },
]

function anyOrder({ stage, random }: Act): readonly [Side, Side] {
  const [one, other] = stage.sides
  return random.chance(0.5) ? [one, other] : [other, one]
}

/** I14: the merchants of other nodes are answered while one is away. */
async function goesOn({ breaks }: Act, { load }: Side): Promise<void> {
  const since = Date.now()
  const answered = async (): Promise<true> => {
    for (let count = 0; count < goingOn; count += 1) await load.nextAcknowledged(since + onItsWayMs)
    return true
  }
  if ((await within(backWithinMs, answered())) === undefined)
    breaks({ promise: 'I14', what: 'The merchant of the other node was not answered while one was away' })
}

test(
  'nothing is lost, doubled or stuck when nodes, the coordinator and the server are killed under load',
  { timeout },
  async (context) => {
    const programs = findCitus()
    assert.ok(programs !== undefined, 'There is no Citus')
    const random = makeRandom(seed)
    const stage = await openClusterStage(programs, random.fork('load'))
    try {
      await Promise.all(stage.sides.map(async ({ load }) => load.nextAcknowledged(0)))
      const scores: Omit<Report, 'settledMs' | 'ok'>[] = []
      for (const fault of faults) scores.push(await strikeAll(fault, stage, random))
      await Promise.all(stage.sides.map(async ({ load }) => load.stop()))
      const [one, other] = stage.sides
      const settledMs = await settle(one.witness, { hurry: true }, settleWithinMs)
      await settle(other.witness, { hurry: true }, settleWithinMs)
      const copies = await stage.copy()
      const broken = (await Promise.all(copies.map(checkPromises))).flat()
      const reports = scores.map((score) => {
        const all = [...score.broken, ...broken]
        return { ...score, broken: all, settledMs, ok: all.length === 0 }
      })
      for (const line of tableOf(reports)) context.diagnostic(`note: ${line}`)
      assert.deepEqual(reports.filter(({ ok }) => !ok).map(describeBroken), [])
      for (const copy of copies) await noticesLosses(copy)
    } finally {
      await stage.close()
    }
  },
)

/** The control: a check that finds nothing missing where payments are gone would be blind. */
async function noticesLosses(copy: Witness): Promise<void> {
  await query(copy.databaseUrl, `update payments set tx_ref = tx_ref || ' gone' where merchant_id = $1`, [
    copy.merchant.id,
  ])
  const promises = new Set((await checkPromises(copy)).map(({ promise }) => promise))
  assert.ok(promises.has('I1'), [...promises].join(' '))
}

async function strikeAll(
  { name, strike }: ClusterFault,
  stage: ClusterStage,
  random: Random,
): Promise<Omit<Report, 'settledMs' | 'ok'>> {
  const broken: Broken[] = []
  const recoveriesMs: number[] = []
  const count = (): number => stage.sides.reduce((sum, { load }) => sum + load.acknowledged(), 0)
  const before = count()
  const began = Date.now()
  for (let run = 1; run <= runs; run += 1) {
    await pause(random.whole(50, 500))
    const at = Date.now()
    const struck = await strike({ stage, random, breaks: (one) => void broken.push(one) })
    const back = Date.now()
    for (const { load } of struck) {
      const answered = await within(backWithinMs, load.nextAcknowledged(back))
      if (answered === undefined) broken.push({ promise: 'I10', what: 'No create was acknowledged any more' })
      else recoveriesMs.push(answered - at)
    }
  }
  const struckMs = Date.now() - began
  const acknowledged = count() - before
  return { name, seed, runs, hits: runs, acknowledged, broken, recoveriesMs, struckMs, mustBreak: [] }
}
