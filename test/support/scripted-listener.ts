import type { Listener } from '../../src/platform/database/listen.ts'

/** A listener that hears what the test says, at once. */
export type ScriptedListener = Listener & {
  connected: boolean
  say(channel: string, payload: string): void
  connectAgain(): void
}

export function scriptListener(): ScriptedListener {
  const heard: (readonly [channel: string, hear: (payload: string) => void])[] = []
  const welcomes: (() => void)[] = []
  return {
    connected: true,
    isOpen: true,
    on: (channel, hear) => void heard.push([channel, hear]),
    onConnect: (welcome) => void welcomes.push(welcome),
    believe() {},
    async rename() {},
    async close() {},
    say(channel, payload) {
      for (const [own, hear] of heard) if (own === channel) hear(payload)
    },
    connectAgain() {
      for (const welcome of welcomes) welcome()
    },
  }
}
