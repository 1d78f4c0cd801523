import { setTimeout as pause } from 'node:timers/promises'
import { checkPromisesAsOf, countInFlight, type Broken, type PromiseName } from './check.ts'
import type { Load } from './load-process.ts'
import { endReviews, lookUpPending } from './live/check.ts'
import { makeRandom, type Random } from './random.ts'
import { openStage, type Stage, type StageOptions, type Witness } from './stage.ts'

// Plays one fault: load on, strike as often as wanted, load off, time to settle, then the promises are checked.

export type Fault = {
  readonly name: string
  /** Clients of the load. */
  readonly clients: number
  /** How often it strikes by itself: in the short form, and when nobody says how often. */
  readonly runs: { readonly short: number; readonly long: number }
  readonly stage?: Omit<StageOptions, 'random'>
  /** Leaves something behind that others could not be played on. */
  readonly alone?: boolean
  /** A control must break these promises, or the harness is blind. */
  readonly mustBreak?: readonly PromiseName[]
  begin?(act: Act): Promise<void>
  strike(act: Act): Promise<void>
}

export type Act = {
  readonly stage: Stage
  readonly load: Load
  readonly random: Random
  /** The short form moves clocks instead of waiting. */
  readonly hurry: boolean
  /** The fault struck where it was meant to. */
  hit(): void
  /** Waits until a create is acknowledged again, and notes how long that took. */
  recovered(sinceMs: number): Promise<void>
  /** Something that no table and no journal shows. */
  breaks(promise: PromiseName, what: string): void
}

export type Report = {
  readonly name: string
  readonly seed: number
  readonly runs: number
  readonly hits: number
  readonly acknowledged: number
  readonly broken: readonly Broken[]
  readonly recoveriesMs: readonly number[]
  /** All strikes together, without the stage and the settling. */
  readonly struckMs: number
  readonly settledMs: number
  readonly ok: boolean
  readonly mustBreak: readonly PromiseName[]
}

/** For what must happen at last: long enough for a machine that stands still or is too busy, and ends a hang. */
export const reachWithinMs = 300_000
// What the long form promises. The short form runs on machines that do much else, and moves clocks: it waits.
const recoverWithinMs = 60_000
const settleWithinMs = 60_000
// What was on its way to a client when the fault struck is not a recovery.
const onItsWayMs = 25
const hurryStepMs = 35_000
// Several stages share the machine in the short form: clients that never rest take it from the servers that start.
const shortRestMs = 200

export type PlayOptions = {
  readonly seed: number
  readonly hurry: boolean
  runsOf(fault: Fault): number
  /** The last strike is over and the load has stopped: what is left is waiting, and the machine is free. */
  onStruck?(): void
  /** What is being done now, in a few words. */
  readonly onStep?: (step: string) => void
}

/** Faults that are played together share a stage, one after the other, and are checked once at the end. */
export async function play(faults: readonly Fault[], options: PlayOptions): Promise<Report[]> {
  const [first] = faults
  if (!first) return []
  const random = makeRandom(options.seed).fork(first.name)
  options.onStep?.('making ready')
  const stage = await openStage({ ...first.stage, random: random.fork('load') })
  try {
    const clients = Math.max(...faults.map((fault) => fault.clients))
    const load = stage.startLoad(clients, options.hurry ? shortRestMs : 0)
    await load.nextAcknowledged(0)
    const scores: Score[] = []
    for (const fault of faults) scores.push(await strikeAll(fault, { stage, load, random }, options))
    await load.stop()
    options.onStruck?.()
    options.onStep?.('settling')
    const { settledMs, lookedAt } = await settleAndLook(stage, options)
    options.onStep?.('checking the promises')
    const broken = await checkPromisesAsOf(stage, lookedAt)
    // What is wrong in the end may be the work of any of them: all of them have failed then.
    return scores.map((score) => {
      const all = [...score.broken, ...broken]
      const ok = score.hits >= score.runs && isAsExpected(all, score.mustBreak)
      return { ...score, broken: all, settledMs, ok }
    })
  } finally {
    await stage.close()
  }
}

type Score = Omit<Report, 'settledMs' | 'ok'>

async function strikeAll(
  fault: Fault,
  on: Pick<Act, 'stage' | 'load' | 'random'>,
  options: PlayOptions,
): Promise<Score> {
  const broken: Broken[] = []
  const recoveriesMs: number[] = []
  let hits = 0
  const act: Act = {
    ...on,
    hurry: options.hurry,
    hit: () => {
      hits += 1
    },
    async recovered(sinceMs) {
      const limitMs = options.hurry ? reachWithinMs : recoverWithinMs
      const at = await within(limitMs, on.load.nextAcknowledged(sinceMs + onItsWayMs))
      if (at === undefined)
        broken.push({ promise: 'I10', what: `No create was acknowledged within ${limitMs / 1_000} s` })
      else recoveriesMs.push(at - sinceMs)
    },
    breaks: (promise, what) => void broken.push({ promise, what }),
  }
  const before = on.load.acknowledged()
  const runs = options.runsOf(fault)
  const began = Date.now()
  await fault.begin?.(act)
  for (let run = 1; run <= runs; run += 1) {
    const soFar = `${on.load.acknowledged() - before} acknowledged, ${broken.length} broken`
    options.onStep?.(`strike ${run} of ${runs}, ${soFar}`)
    await fault.strike(act)
  }
  const acknowledged = on.load.acknowledged() - before
  const struckMs = Date.now() - began
  const { name, mustBreak = [] } = fault
  return { name, seed: options.seed, runs, hits, acknowledged, broken, recoveriesMs, struckMs, mustBreak }
}

function isAsExpected(broken: readonly Broken[], mustBreak: readonly PromiseName[]): boolean {
  if (mustBreak.length === 0) return broken.length === 0
  return mustBreak.every((promise) => broken.some((one) => one.promise === promise))
}

/** How long it took until nothing was in flight any more. */
export async function settle(
  stage: Witness,
  options: Pick<PlayOptions, 'hurry' | 'onStep'>,
  withinMs?: number,
): Promise<number> {
  return (await settleAndLook(stage, options, withinMs)).settledMs
}

/** With the moment of the last look: what falls due later is not stuck. */
async function settleAndLook(
  stage: Witness,
  { hurry, onStep }: Pick<PlayOptions, 'hurry' | 'onStep'>,
  withinMs = hurry ? reachWithinMs : settleWithinMs,
): Promise<{ settledMs: number; lookedAt: Date }> {
  const began = Date.now()
  let lookedAt = new Date()
  let aheadMs = 0
  // In the short form the schedule finds what nobody told: its clock runs faster.
  if (stage.live && !hurry) await lookUpPending(stage)
  while (Date.now() - began < withinMs) {
    lookedAt = new Date()
    const inFlight = await countInFlight(stage, lookedAt)
    if (inFlight === 0) break
    endReviews(stage)
    // What that told of and nobody took, as by a server that was busy, is sent again like all the rest.
    await stage.live?.sendAgain()
    onStep?.(`settling, ${inFlight} in flight`)
    if (hurry && aheadMs < 10 * hurryStepMs) {
      aheadMs += hurryStepMs
      stage.server().tell({ kind: 'clock', aheadMs })
    }
    await pause(hurry ? 1_500 : 250)
  }
  return { settledMs: Date.now() - began, lookedAt }
}

/** Undefined when it takes longer. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
