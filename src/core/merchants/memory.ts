import type { Listener } from '../../platform/database/listen.ts'

// Keys and merchants are cached for a minute, and forgotten at once when any server changes the merchant's keys or
// settings.

export type Memory<Known> = {
  recall(name: string): Known | undefined
  /** For what is not remembered. What `lookUp` finds is remembered, unless something changed meanwhile. */
  find(merchantId: number, name: string, lookUp: LookUp<Known>): Promise<Known | undefined>
}

type LookUp<Known> = () => Promise<Known | undefined>

const rememberMs = 60_000
// Without a listener a revocation is not noticed, and a revoked key must be refused within a second all the same.
const rememberDeafMs = 1_000
const rememberedMax = 10_000

type Entry<Known> = { readonly known: Known; readonly merchantId: string; readonly sinceMs: number }

type PendingLookUp<Known> = { readonly answer: Promise<Known | undefined>; next?: Promise<Known | undefined> }

export function makeMemory<Known>(listener: Listener, now: () => number): Memory<Known> {
  const remembered = new Map<string, Entry<Known>>()
  const asked = new Map<string, PendingLookUp<Known>>()
  let changes = 0

  listener.onConnect(() => {
    changes += 1
    remembered.clear()
  })
  listener.on('florin_merchants', (merchantId) => {
    changes += 1
    for (const [name, entry] of remembered) if (entry.merchantId === merchantId) remembered.delete(name)
  })

  function recall(name: string): Known | undefined {
    const entry = remembered.get(name)
    if (!entry) return undefined
    const ageMs = now() - entry.sinceMs
    return ageMs >= 0 && ageMs < (listener.connected ? rememberMs : rememberDeafMs) ? entry.known : undefined
  }

  async function ask(merchantId: number, name: string, lookUp: LookUp<Known>): Promise<Known | undefined> {
    const sinceMs = now()
    const before = changes
    const known = await lookUp()
    if (known === undefined || before !== changes) return known
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(name, { known, merchantId: String(merchantId), sinceMs })
    return known
  }

  async function find(merchantId: number, name: string, lookUp: LookUp<Known>): Promise<Known | undefined> {
    const running = asked.get(name)
    if (!running) {
      const answer = ask(merchantId, name, lookUp).finally(() => asked.delete(name))
      asked.set(name, { answer })
      return answer
    }
    // When a minute is over, the many requests of a busy merchant share one query. But that query may have begun before
    // a change that this caller must see: then its result was not remembered, and all who came since share one more.
    const again = async (): Promise<Known | undefined> => recall(name) ?? find(merchantId, name, lookUp)
    running.next ??= running.answer.then(again, again)
    return running.next
  }

  return { recall, find }
}
