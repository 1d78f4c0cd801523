import type { Logger } from '../../../platform/http/log.ts'
import { withoutAddress } from '../receiver-of.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import type { Claim } from '../store.ts'

// Logs failing deliveries: once per receiver and reason, then after a minute, after two, four, up to an hour while it
// continues, with the number in between. A dead receiver of a busy shop fails a hundred times a second, and the table
// has every attempt; the log is meant to be read.

export type ReportFailures = (
  one: Pick<Claim, 'merchant_id' | 'mode' | 'kind' | 'origin'>,
  outcome: Outcome,
) => void

type LoggedReason = { untilMs: number; gapMs: number; unlogged: number }
type Failing = { readonly reasons: Map<string, LoggedReason>; lastMs: number }

const firstGapMs = 60_000
const recoveredAfterMs = 60_000
const gapMaxMs = 3_600_000
/** After so long without another failure the next one is news again. */
const forgetMs = 2 * gapMaxMs
const reasonsMax = 10_000

export function makeReportFailures(log: Logger, now: () => Date = () => new Date()): ReportFailures {
  /** By receiver, then by reason. */
  const receivers = new Map<string, Failing>()
  let reasons = 0

  function forget(receiver: string): void {
    reasons -= receivers.get(receiver)?.reasons.size ?? 0
    receivers.delete(receiver)
  }

  /** Otherwise a receiver that accepts some and refuses others would recover a hundred times a second. */
  function hasRecovered(receiver: string): boolean {
    const failing = receivers.get(receiver)
    return failing !== undefined && now().getTime() - failing.lastMs >= recoveredAfterMs
  }

  /** How many failures to report now; undefined: none. */
  function count(receiver: string, reason: string): number | undefined {
    const nowMs = now().getTime()
    const failing = receivers.get(receiver) ?? { reasons: new Map<string, LoggedReason>(), lastMs: nowMs }
    failing.lastMs = nowMs
    receivers.set(receiver, failing)
    const logged = failing.reasons.get(reason)
    if (logged && nowMs < logged.untilMs) {
      logged.unlogged += 1
      return undefined
    }
    if (!logged) reasons += 1
    const isNews = !logged || nowMs > logged.untilMs + forgetMs
    const gapMs = isNews ? firstGapMs : Math.min(logged.gapMs * 2, gapMaxMs)
    failing.reasons.set(reason, { untilMs: nowMs + gapMs, gapMs, unlogged: 0 })
    // The oldest one is evicted: its next failure is logged again, which does no harm.
    const [oldest] = receivers.keys()
    if (reasons > reasonsMax && oldest !== undefined && oldest !== receiver) forget(oldest)
    return (logged?.unlogged ?? 0) + 1
  }

  return (one, outcome) => {
    const { merchant_id: merchant, mode, kind, origin } = one
    // All mail goes through one server.
    const receiver = kind === 'mail' ? kind : `${merchant} ${mode} ${origin}`
    const facts = kind === 'mail' ? { kind } : { kind, merchant, mode, origin: withoutAddress(origin) }
    if (outcome.verdict === 'delivered') {
      if (!hasRecovered(receiver)) return
      forget(receiver)
      log.info(facts, 'Deliveries succeed again')
      return
    }
    if (outcome.verdict !== 'failed' && outcome.verdict !== 'gone') return
    const reason = reasonOf(outcome)
    const failures = count(receiver, reason)
    if (failures === undefined) return
    const logged = {
      ...facts,
      reason,
      ...(outcome.cause !== undefined && { cause: outcome.cause }),
      failures,
    }
    log[mode === 'live' ? 'warn' : 'info'](logged, sentences[outcome.verdict][kind])
  }
}

const sentences = {
  failed: {
    ipn: 'Could not deliver a notification; will retry',
    mail: 'Could not send a mail; will retry',
  },
  gone: {
    ipn: 'A receiver refused a notification for good',
    mail: 'A mail server refused a mail for good',
  },
}

/** A status of HTTP or SMTP, or the one word for an error without an answer: certificate and DNS are two reasons. */
function reasonOf({ status, error }: Outcome): string {
  if (status === null) return error ?? 'unknown'
  return error === null ? String(status) : `${error} ${status}`
}
