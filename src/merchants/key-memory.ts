import type { Listener } from '../database/listen.ts'

// What a key stands for is remembered for a minute, and forgotten at once when any server changes the merchant's keys
// or settings.

export type KeyMemory<Known> = {
  recall(hash: Buffer): Known | undefined
  /** Called before a look-up; the answer keeps what was found unless something changed meanwhile. */
  expect(merchantId: number, hash: Buffer): (known: Known) => void
}

const rememberMs = 60_000
// While the listener is away a revocation can't be heard, so nothing is believed for longer than the promise.
const rememberDeafMs = 1_000
const rememberedMax = 10_000

type Entry<Known> = { readonly known: Known; readonly merchantId: string; readonly sinceMs: number }

export function makeKeyMemory<Known>(listener: Listener, now: () => number): KeyMemory<Known> {
  const remembered = new Map<string, Entry<Known>>()
  let changes = 0

  listener.onConnect(() => {
    changes += 1
    remembered.clear()
  })
  listener.on('florin_merchants', (merchantId) => {
    changes += 1
    for (const [hash, entry] of remembered) if (entry.merchantId === merchantId) remembered.delete(hash)
  })

  return {
    recall(hash) {
      const entry = remembered.get(hash.toString('base64'))
      if (!entry) return undefined
      const ageMs = now() - entry.sinceMs
      return ageMs >= 0 && ageMs < (listener.connected ? rememberMs : rememberDeafMs)
        ? entry.known
        : undefined
    },
    expect(merchantId, hash) {
      const sinceMs = now()
      const before = changes
      return (known) => {
        if (before !== changes) return
        if (remembered.size >= rememberedMax) remembered.clear()
        remembered.set(hash.toString('base64'), { known, merchantId: String(merchantId), sinceMs })
      }
    },
  }
}
