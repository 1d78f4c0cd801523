import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { reachWithinMs, within, type Act, type Fault } from './play.ts'
import { areCopied, payOutUntil } from './payout-strikes.ts'
import { points, type Point, type PointName } from './points.ts'
import { thank, type Behaviour } from './receiver.ts'
import { startServer } from './server.ts'

// What happens to our own processes.

const refuse: Behaviour = (_, response) => void response.writeHead(503).end()

const killedAtRandom: Fault = {
  name: 'server killed at random',
  clients: 12,
  runs: { short: 1, long: 500 },
  async strike(act) {
    await pause(act.random.whole(5, 400))
    const at = Date.now()
    act.stage.server().kill('SIGKILL')
    await act.stage.server().ended
    await act.stage.startServer()
    act.hit()
    await act.recovered(at)
  },
}

export function killedWhen(point: PointName): Fault {
  const { rare = false, ofRetries = false, ofPayouts = false }: Point = points[point]
  return {
    name: `server killed when ${point}`,
    // What is struck is the copy of a payout: payments only have to be booked meanwhile.
    clients: ofPayouts ? 4 : 12,
    runs: { short: 1, long: 100 },
    async strike(act) {
      const server = act.stage.server()
      if (ofRetries) act.stage.receiver.behave(refuse)
      server.tell({ kind: 'arm', point, hit: act.random.whole(1, rare ? 2 : 8), signal: 'SIGKILL' })
      const paying = ofPayouts ? payOutUntil(act.stage, server.ended) : undefined
      // A point that is never reached is no fault: the run fails for want of hits.
      const ended = await within(reachWithinMs, server.ended)
      const at = Date.now()
      act.stage.receiver.behave(thank)
      await paying
      if (ended === undefined) return
      if (ended !== 'SIGKILL') act.breaks('answers', `the server ended with ${ended} by itself`)
      await act.stage.startServer()
      act.hit()
      await act.recovered(at)
      if (ofPayouts && !(await areCopied(act.stage)))
        act.breaks('I16', 'a payout of the network was not copied after the server came back')
    },
  }
}

const toldToStop: Fault = {
  name: 'SIGTERM under load',
  clients: 12,
  runs: { short: 1, long: 100 },
  async strike(act) {
    await pause(act.random.whole(5, 400))
    const at = Date.now()
    act.stage.server().kill('SIGTERM')
    const ended = await within(reachWithinMs, act.stage.server().ended)
    if (ended !== 0)
      act.breaks('answers', `SIGTERM ended the server with ${ended ?? 'nothing in five minutes'}`)
    await act.stage.startServer()
    act.hit()
    await act.recovered(at)
  },
}

const hourMs = 3_600_000

const clockJumps: Fault = {
  name: 'clock jumps',
  clients: 12,
  runs: { short: 1, long: 100 },
  async strike(act) {
    const aheadMs = act.random.pick([-25 * hourMs, -hourMs, -60_000, 60_000, hourMs, 23 * hourMs])
    act.stage.server().tell({ kind: 'clock', aheadMs })
    await pause(act.random.whole(200, 800))
    // Some attempts that were begun in the other time lose their server and are left to the right one.
    act.stage.server().kill('SIGKILL')
    await act.stage.server().ended
    const at = Date.now()
    await act.stage.startServer()
    act.hit()
    await act.recovered(at)
  },
}

const workerPaused: Fault = {
  name: 'worker paused past its lease',
  clients: 12,
  runs: { short: 1, long: 10 },
  async strike(act) {
    const { stage } = act
    const worker = await startServer({ ...stage.place, logFile: `${stage.logFile}.worker` }, ['worker'])
    worker.tell({ kind: 'arm', point: 'attempts are claimed', hit: 1, signal: 'SIGSTOP' })
    if (await standsStill(worker.pid)) {
      act.hit()
      await leaseEnds(act)
      worker.kill('SIGCONT')
      await pause(500)
    }
    worker.kill('SIGTERM')
    await worker.ended
    await act.recovered(Date.now())
  },
}

async function leaseEnds(act: Act): Promise<void> {
  if (act.hurry) act.stage.server().tell({ kind: 'clock', aheadMs: 35_000 })
  await pause(act.hurry ? 2_000 : 35_000)
}

async function standsStill(pid: number): Promise<boolean> {
  const deadline = Date.now() + reachWithinMs
  while (Date.now() < deadline) {
    if (/\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true
    await pause(20)
  }
  return false
}

export const serverFaults: readonly Fault[] = [killedAtRandom, toldToStop, clockJumps, workerPaused]

// The mail has a fault of its own: in test mode none leaves the house.
export const pointFaults: readonly Fault[] = (Object.keys(points) as PointName[])
  .filter((name) => name !== 'a mail was accepted' && !isLive(name))
  .map(killedWhen)

export function isLive(name: PointName): boolean {
  const { live = false }: Point = points[name]
  return live
}
