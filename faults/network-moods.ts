import { setTimeout as pause } from 'node:timers/promises'
import { makeRandom } from './random.ts'

// Inside the server, where outcomes come home: a network that says the same thing twice, says it long after we gave up
// waiting, or says the older thing last.

export type NetworkMood = 'right' | 'twice' | 'late' | 'out of order'

type Outcome = { readonly kind: string }
type Bring = (key: unknown, outcome: Outcome) => Promise<unknown>

// Around the time at which reconciling asks by itself: some come before it, some after.
const lateMs = { from: 1_000, upTo: 8_000 }
const rememberedMax = 10_000

let mood: NetworkMood = 'right'
let random = makeRandom(0)
let told: () => void = () => {}
const saidBefore = new Map<string, Outcome[]>()

export function setMood(to: NetworkMood, seed: number, onTold: () => void): void {
  mood = to
  random = makeRandom(seed)
  told = onTold
}

/** In the place of applyOutcome, which is `bring`. */
export async function bringHome(bring: Bring, key: unknown, outcome: Outcome): Promise<unknown> {
  const name = JSON.stringify(key)
  const before = saidBefore.get(name) ?? []
  if (saidBefore.size > rememberedMax) saidBefore.clear()
  if (outcome.kind !== 'no_answer') saidBefore.set(name, [...before, outcome])

  if (mood === 'right' || outcome.kind === 'no_answer') return bring(key, outcome)
  if (mood === 'twice') {
    const [first] = await Promise.all([bring(key, outcome), bring(key, outcome)])
    told()
    return first
  }
  if (mood === 'late') {
    // Never awaited: whoever asked has gone. A database that is away then is a fault of its own.
    void pause(random.whole(lateMs.from, lateMs.upTo))
      .then(async () => bring(key, outcome))
      .then(told, () => {})
    return bring(key, { kind: 'no_answer' })
  }
  const result = await bring(key, outcome)
  for (const older of before.toReversed()) {
    await bring(key, older)
    told()
  }
  return result
}
