import { setTimeout as pause } from 'node:timers/promises'
import type { NetworkMood } from './network-moods.ts'
import { reachWithinMs, type Fault } from './play.ts'

// The network keeps its books right and its word badly.

const timesPerStrike = 5

function networkThatAnswers(mood: Exclude<NetworkMood, 'right'>): Fault {
  return {
    name: `network answers ${mood}`,
    clients: 8,
    runs: { short: 1, long: 100 },
    async strike(act) {
      const server = act.stage.server()
      const before = server.played()
      server.tell({ kind: 'network', mood, seed: act.random.whole(0, 2 ** 31) })
      const deadline = Date.now() + reachWithinMs
      while (server.played() < before + timesPerStrike && Date.now() < deadline) await pause(20)
      // Struck when such answers were brought home, not when they were asked for.
      if (server.played() >= before + timesPerStrike) act.hit()
      server.tell({ kind: 'network', mood: 'right', seed: 0 })
      await act.recovered(Date.now())
    },
  }
}

export const networkFaults: readonly Fault[] = [
  networkThatAnswers('twice'),
  networkThatAnswers('late'),
  networkThatAnswers('out of order'),
]
