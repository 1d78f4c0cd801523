import type { Listener } from '../database/listen.ts'

// What a key stands for, and what a merchant is, is remembered for a minute, and forgotten at once when any server changes the merchant's keys
// or settings.

export type Memory<Known> = {
  recall(name: string): Known | undefined
  /** Called before a look-up; the answer keeps what was found unless something changed meanwhile. */
  expect(merchantId: number, name: string): (known: Known) => void
}

const rememberMs = 60_000
// While the listener is away a revocation can't be heard, so nothing is believed for longer than the promise.
const rememberDeafMs = 1_000
const rememberedMax = 10_000

type Entry<Known> = { readonly known: Known; readonly merchantId: string; readonly sinceMs: number }

export function makeMemory<Known>(listener: Listener, now: () => number): Memory<Known> {
  const remembered = new Map<string, Entry<Known>>()
  let changes = 0

  listener.onConnect(() => {
    changes += 1
    remembered.clear()
  })
  listener.on('florin_merchants', (merchantId) => {
    changes += 1
    for (const [name, entry] of remembered) if (entry.merchantId === merchantId) remembered.delete(name)
  })

  return {
    recall(name) {
      const entry = remembered.get(name)
      if (!entry) return undefined
      const ageMs = now() - entry.sinceMs
      return ageMs >= 0 && ageMs < (listener.connected ? rememberMs : rememberDeafMs)
        ? entry.known
        : undefined
    },
    expect(merchantId, name) {
      const sinceMs = now()
      const before = changes
      return (known) => {
        if (before !== changes) return
        if (remembered.size >= rememberedMax) remembered.clear()
        remembered.set(name, { known, merchantId: String(merchantId), sinceMs })
      }
    },
  }
}
