import { askNetwork } from '../ask-network.ts'
import { findLastAttempt, type AttemptRow } from '../attempt-store.ts'
import { endedUnpaid, type AttemptState } from '../../state-machine.ts'
import type { Paying } from '../paying.ts'
import { askGivenUp, askHosted } from './ask-hosted.ts'
import { findByReference } from './hosted-store.ts'
import { applyWord } from './take-money.ts'

/** What a callback said to look up; any of the three is enough, the most exact one counts. */
export type AskedAbout = {
  readonly merchantId: number
  readonly idempotencyKey?: string | undefined
  readonly connectorReference?: string | undefined
  readonly number?: string | undefined
}

/** `no_answer`: the network didn't answer; the caller should ask again. */
export type CheckResult = 'asked' | 'not_found' | 'no_answer'

const settled: readonly AttemptState[] = ['succeeded', 'held', 'surplus', 'returned']

/**
 * Asks the network about an attempt and applies what it says. The hint itself decides nothing: forged, repeated, late or
 * out of order, all it can do is make us ask.
 */
export async function askAbout(paying: Paying, about: AskedAbout): Promise<CheckResult> {
  const attempt = await findMeant(paying, about)
  if (!attempt?.account_id) return 'not_found'
  if (settled.includes(attempt.state)) return 'asked'
  const ask = endedUnpaid.includes(attempt.state) ? askGivenUp : askHosted
  const found = await askNetwork(paying.log, async (signal) => ask(paying, attempt, signal))
  if (found.kind === 'no_answer') return 'no_answer'
  if (found.kind !== 'still_open') await applyWord(paying, attempt, found)
  return 'asked'
}

async function findMeant(paying: Paying, about: AskedAbout): Promise<AttemptRow | undefined> {
  const { merchantId, idempotencyKey, connectorReference, number } = about
  const byKey = idempotencyKey === undefined ? undefined : await paying.findByKey(merchantId, idempotencyKey)
  if (byKey) return byKey
  const byReference =
    connectorReference === undefined
      ? undefined
      : await findByReference(paying.db, merchantId, connectorReference)
  if (byReference) return byReference
  return number === undefined ? undefined : findLastAttempt(paying.db, { merchantId, number })
}
