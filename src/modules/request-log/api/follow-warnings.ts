import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/database/database.ts'
import { success } from '../../../platform/http/envelope.ts'
import type { RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { Query } from '../../../platform/input/fields.ts'
import type { Authenticator } from '../../../core/merchants/authenticate.ts'
import { makeSecretGate } from '../../../core/merchants/gate.ts'
import { findWarned, type WarnedLine } from '../request-store.ts'

// For `florin listen`: requests whose unknown fields resemble known ones, as they come.

export const waitMaxSeconds = 25
const lookEveryMs = 1_000
/** Lines are written once a second, by each server: younger ones may not all be there. */
const settledMs = 2_500
const atOnce = 20

export type FollowWarnings = {
  readonly db: Database
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
}

export function addWarnings(server: Server, { db, authenticator, keyLimit }: FollowWarnings): void {
  const gate = makeSecretGate(authenticator, keyLimit)
  const closing = new AbortController()
  server.addHook('preClose', (done) => {
    closing.abort()
    done()
  })

  server.get('/api/notifications/listen/warnings', { onRequest: gate.check }, async (request) => {
    const { merchant, mode } = gate.callerOf(request)
    const { since, seconds } = readFollow(request.query)
    let next = { at: since, name: '' }
    for (let leftMs = seconds * 1000; ; leftMs -= lookEveryMs) {
      const until = new Date(Date.now() - settledMs)
      const found = await findWarned(db, { merchantId: merchant.id, mode }, next, until, atOnce)
      if (Date.parse(next.at) < until.getTime()) next = { at: until.toISOString(), name: '' }
      const isOver = leftMs <= 0 || closing.signal.aborted
      if (found.length > 0 || isOver)
        return success('Warnings', { since: sinceAfter(found, next.at), requests: found.map(present) })
      await pause(Math.min(lookEveryMs, leftMs), undefined, closing).catch(() => {})
    }
  })
}

/** Where to go on: behind the last line if there may be more. Times of lines are whole milliseconds. */
function sinceAfter(found: readonly WarnedLine[], looked: string): string {
  const last = found.length === atOnce ? found.at(-1) : undefined
  return last === undefined ? looked : new Date(Date.parse(last.at) + 1).toISOString()
}

function present({ at, request_id, method, path, warnings }: WarnedLine) {
  return { at: new Date(at).toISOString(), request_id, method, path, warnings: warnings.split('\n') }
}

function readFollow(query: unknown): { since: string; seconds: number } {
  const fields = new Query(query)
  const since = fields.time('since') ?? new Date().toISOString()
  const wait = fields.text('wait', { max: 4 }) ?? String(waitMaxSeconds)
  const seconds = Number(wait)
  if (!/^\d+$/.test(wait) || seconds > waitMaxSeconds)
    fields.fail('wait', `must be a whole number of seconds up to ${waitMaxSeconds}`)
  fields.checkAll()
  return { since, seconds }
}
