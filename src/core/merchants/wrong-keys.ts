import type { KnownCaller } from '../../platform/http/note-answer.ts'
import { refuseIfWaiting, type RateLimit } from '../../platform/http/rate-limit.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { networkOf } from '../../platform/input/network-of.ts'

// A caller that sends one wrong key after another is guessing, or runs an outdated program. Both are counted, and have
// to wait after ten a second from one address. A valid key is always answered, whoever else is behind the same address:
// by then a refused one is known to be wrong.

/** A key was sent that opens nothing. `owner`: whose it is, or was. */
export class RefusedKey extends Refusal {
  readonly owner: KnownCaller | undefined

  constructor(
    code: 'unauthorized' | 'merchant_suspended' | 'live_not_enabled',
    owner: KnownCaller | undefined,
    ...told: [message?: string, detail?: { headers: Record<string, string> }]
  ) {
    super(code, ...told)
    this.owner = owner
  }
}

/** Not ours, no longer valid, or of another kind. */
export class WrongKey extends RefusedKey {}

export const wrongKeyReasons = ['missing', 'wrong', 'limited'] as const
type Reason = (typeof wrongKeyReasons)[number]

export type WrongKeys = {
  /** What to answer instead of an authentication error. */
  refused(error: unknown, address: string): unknown
}

export function makeWrongKeys(limit: RateLimit, count: (reason: Reason) => void): WrongKeys {
  return {
    refused(error, address) {
      if (!(error instanceof Refusal) || error.code !== 'unauthorized') return error
      if (!(error instanceof WrongKey)) {
        count('missing')
        return error
      }
      try {
        refuseIfWaiting(limit.take(networkOf(address)))
        count('wrong')
        return error
      } catch (refusal) {
        count('limited')
        return refusal
      }
    },
  }
}
