import type { Database } from '../../platform/database/database.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { webhookId } from './delivery-id.ts'
import type { Outbox } from './outbox.ts'
import { listSince } from './record-store.ts'
import { signatureHeaders } from './ipn/signature.ts'
import { webhookSecrets } from './ipn/webhook-secrets.ts'

// For `florin listen`: the notifications of a merchant's test mode as they come, signed, to be forwarded by the one
// who asks. Nothing is marked as delivered by it.

export type FollowedNotification = {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The time and the id of the last one that is known; many may be of the same moment. */
export type Since = {
  readonly merchantId: number
  readonly since: string
  readonly after: string
  readonly endpoint?: string | undefined
}

export type Follow = {
  /** Waits until there is something newer than `since`, or the time is over. */
  wait(since: Since, waitMs: number): Promise<FollowedNotification[]>
  /** Sends all who wait home, for a server that is being stopped. */
  close(): void
}

const lookEveryMs = 500
const atOnce = 100

type SecretStore = { readonly db: Database; readonly secrets: Secrets }

export function makeFollow(keeping: SecretStore, outbox: Outbox): Follow {
  const { db } = keeping
  const wakes = new Map<() => void, number>()
  let closed = false
  outbox.onCommit((queue) => {
    for (const [wake, merchantId] of wakes) if (merchantId === queue.merchantId) wake()
  })

  async function pause(merchantId: number, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        wakes.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      wakes.set(done, merchantId)
    })
  }

  return {
    async wait(since, waitMs) {
      const untilMs = Date.now() + waitMs
      for (;;) {
        const found = await listSince(db, { ...since, limit: atOnce })
        const leftMs = untilMs - Date.now()
        if (found.length > 0 || leftMs <= 0 || closed) return sign(keeping, since.merchantId, found)
        await pause(since.merchantId, Math.min(lookEveryMs, leftMs))
      }
    },
    close() {
      closed = true
      for (const wake of wakes.keys()) wake()
    },
  }
}

async function sign(
  keeping: SecretStore,
  merchantId: number,
  found: Awaited<ReturnType<typeof listSince>>,
): Promise<FollowedNotification[]> {
  if (found.length === 0) return [] // No test: saves reading the secrets where there is nothing to sign
  const at = new Date()
  const secrets = (await webhookSecrets(keeping, { merchantId, mode: 'test' }, at)).map(
    ({ secret }) => secret,
  )
  return found.map((one) => ({
    ...one,
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders({ ...one, id: webhookId(one.id), at }, secrets),
    },
  }))
}
