import { setTimeout as pause } from 'node:timers/promises'
import type { Callbacks } from '../../test/support/networks/callbacks.ts'
import type { Intent } from '../../test/support/networks/stripe-books.ts'
import type { Mood, StandIn } from '../../test/support/networks/stand-in.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { reachWithinMs, within, type Act, type Fault } from '../play.ts'
import { points, type PointName } from '../points.ts'
import { isLive, killedWhen } from '../server-faults.ts'
import { ask } from '../stage.ts'
import { forge, type Forgery } from './forge.ts'
import type { Networks } from '../../test/support/networks/start-networks.ts'
import { standInsOf, type LiveWorld } from './world.ts'

// What happens between us and the networks of live payments: servers die around their answers and callbacks, and both
// come twice, late, out of order, not at all, or from somebody else.

const stage = { live: true }

/** The stage's other payments go on, but slowly: what is to be struck is a live one. */
const clients = 3

const pointFaults = (Object.keys(points) as PointName[])
  .filter(isLive)
  .map((name): Fault => ({ ...killedWhen(name), clients, stage }))

const killedAfterPaying: Fault = {
  name: 'server killed when a customer paid at a live network',
  clients,
  runs: { short: 1, long: 100 },
  stage,
  async strike(act) {
    const { networks } = worldOf(act)
    // Their callbacks come to whoever is there next, or to nobody.
    for (const { callbacks } of standInsOf(networks)) callbacks.manner = 'held'
    const isHit = await untilPaid(act, 1)
    act.stage.server().kill('SIGKILL')
    await act.stage.server().ended
    const at = Date.now()
    if (act.random.chance(0.5)) await release(networks)
    await act.stage.startServer()
    await release(networks)
    if (isHit) act.hit()
    await act.recovered(at)
  },
}

async function release(networks: Networks): Promise<void> {
  for (const { callbacks } of standInsOf(networks)) {
    callbacks.manner = 'at_once'
    // Nobody listens: the network will send it again.
    await callbacks.release().catch(() => {})
  }
}

const paidPerStrike = 5

function callbacksThat(how: string, manner: Callbacks['manner'], order?: 'newest_first'): Fault {
  return {
    name: `callbacks ${how}`,
    clients,
    runs: { short: 1, long: 100 },
    stage,
    async strike(act) {
      const { networks } = worldOf(act)
      const all = standInsOf(networks).map(({ callbacks }) => callbacks)
      for (const callbacks of all) callbacks.manner = manner
      if (await untilPaid(act, paidPerStrike)) act.hit()
      if (manner === 'held') await pause(act.random.whole(0, 4_000))
      for (const callbacks of all) {
        callbacks.manner = 'at_once'
        await callbacks.release(order).catch(() => {})
      }
      await act.recovered(Date.now())
    },
  }
}

const forgeries: readonly Forgery[] = ['unsigned', 'altered', 'old', 'lie', 'repeated', "a stranger's"]

const forgedCallbacks: Fault = {
  name: 'callbacks are forged',
  clients,
  runs: { short: 1, long: 100 },
  stage,
  async strike(act) {
    const world = worldOf(act)
    await untilPaid(act, 1)
    for (const forgery of forgeries) {
      const wrong = await forge(world, act.stage, act.random, forgery)
      if (wrong !== undefined) act.breaks('I12', wrong)
    }
    act.hit()
  },
}

function networksThat(how: string, mood: Mood, times: number): Fault {
  return {
    name: `live networks ${how}`,
    clients,
    runs: { short: 1, long: 100 },
    stage,
    async strike(act) {
      const { networks } = worldOf(act)
      const all: readonly StandIn[] = standInsOf(networks)
      const struck = Promise.all(all.map(async (network) => network.turn(mood, { times })))
      if (await within(reachWithinMs, struck)) act.hit()
      await act.recovered(Date.now())
    },
  }
}

function worldOf({ stage: { live } }: Act): LiveWorld {
  if (!live) throw new Error('This stage has no live networks')
  return live
}

async function untilPaid(act: Act, times: number): Promise<boolean> {
  const world = worldOf(act)
  const wanted = world.paid + times
  const deadline = Date.now() + reachWithinMs
  while (world.paid < wanted && Date.now() < deadline) await pause(5)
  return world.paid >= wanted
}

export const liveFaults: readonly Fault[] = [
  ...pointFaults,
  killedAfterPaying,
  callbacksThat('come twice', 'twice'),
  callbacksThat('come late', 'held'),
  callbacksThat('come out of order', 'held', 'newest_first'),
  callbacksThat('are lost', 'lost'),
  forgedCallbacks,
  networksThat('cut the line before they act', { kind: 'cuts', when: 'before' }, 8),
  networksThat('cut the line after they acted', { kind: 'cuts', when: 'after' }, 8),
  networksThat('are silent before they act', { kind: 'hangs', when: 'before' }, 2),
  networksThat('are silent after they acted', { kind: 'hangs', when: 'after' }, 2),
  networksThat('fail before they act', { kind: 'fails', when: 'before' }, 8),
  networksThat('fail after they acted', { kind: 'fails', when: 'after' }, 8),
  networksThat('are busy', { kind: 'busy', seconds: 1 }, 8),
  networksThat('are closed for maintenance', { kind: 'maintenance', status: 503 }, 8),
]

async function paidHere({ stage: { databaseUrl } }: Act): Promise<Set<string>> {
  const rows = await ask<{ number: string }>(
    databaseUrl,
    `select number from payments where mode = 'live' and state = 'success'`,
  )
  return new Set(rows.map(({ number }) => number))
}

/** The control for live money: Stripe's books say one charge more than anybody was told, and one less. */
export const controlOfCharges: Fault = {
  name: 'control: a live network keeps other books',
  clients,
  runs: { short: 1, long: 3 },
  mustBreak: ['I3', 'I4'],
  stage,
  async strike(act) {
    const { books } = worldOf(act).networks.stripe
    const paid = () => [...books.sessions.values()].filter((one) => one.payment_status === 'paid')
    // Florin knows of them: a charge that it has not asked about yet would be missed by nobody.
    let known: Intent[] = []
    await waitUntil('two payments at Stripe are known here', async () => {
      const numbers = await paidHere(act)
      const intents = paid().flatMap(({ id }) => books.intents.get(id) ?? [])
      known = intents.filter(({ metadata }) => numbers.has(metadata['florin_payment'] ?? ''))
      return known.length >= 2
    })
    const [first, second] = known
    if (!first || !second) return
    const again: Intent = { ...first, id: 'pi_again' }
    books.intents.set('cs_again', again)
    books.charge(again)
    second.amount_received = 0
    act.hit()
  },
}
