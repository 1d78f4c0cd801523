import { isOwnMachine, type Config } from '../platform/settings/config.ts'
import type { Database } from '../platform/database/database.ts'
import { clockAheadMs } from '../platform/database/watch/clock.ts'
import type { Warner } from '../platform/jobs/warner.ts'
import type { NotificationCheck } from '../platform/database/watch/hearing.ts'
import { takesLivePayments } from '../core/merchants/list.ts'
import { describeFailing } from '../core/notifications/receivers/failing.ts'
import { countAllWaitingMail, describeWaitingMail } from '../core/notifications/mail/waiting-mail.ts'

// Working, but needs attention: reported at startup, in the details of /readyz and by florin status.

export type ReadWarnings = () => Promise<readonly string[]>

const clockMaxMs = 30_000
const rememberMs = 30_000

/** Asked for again after half a minute at the earliest: monitors ask every few seconds. */
export function makeReadWarnings(
  config: Config,
  db: Database,
  hearing: Pick<NotificationCheck, 'isHeard'>,
  warners: readonly Warner[],
): ReadWarnings {
  let last: Promise<readonly string[]> | undefined
  let untilMs = 0
  return async () => {
    if (last === undefined || performance.now() > untilMs) {
      untilMs = performance.now() + rememberMs
      last = readWarnings(config, db, warners)
      last.catch(() => {
        last = undefined
      })
    }
    const warnings = await last
    return hearing.isHeard ? warnings : [deafWarning, ...warnings]
  }
}

export const deafWarning =
  "Database notifications don't arrive. Until they do, Florin looks up keys for every request. " +
  'If PostgreSQL is behind a pooler, set DATABASE_LISTEN_URL to PostgreSQL itself.'

async function readWarnings(
  config: Config,
  db: Database,
  warners: readonly Warner[],
): Promise<readonly string[]> {
  const isLive = await takesLivePayments(db)
  const aheadMs = await clockAheadMs(db)
  return [
    ...(isLive && config.BASE_URL.startsWith('http:') && !isOwnMachine(config)
      ? [`Live payments use plain http: BASE_URL is ${config.BASE_URL}. Put Florin behind a proxy with TLS.`]
      : []),
    ...(config.SMTP_URL === '' ? await mailWarnings(db, isLive) : []),
    ...(await describeFailing(db)),
    ...(await Promise.all(warners.map(async (warner) => warner(db, { isLive })))).flat(),
    ...(Math.abs(aheadMs) > clockMaxMs ? [describeClock(aheadMs)] : []),
  ]
}

async function mailWarnings(db: Database, isLive: boolean): Promise<string[]> {
  const waiting = await countAllWaitingMail(db)
  if (waiting > 0) return [describeWaitingMail(waiting)]
  return isLive ? ['SMTP_URL is not set: live mail, such as receipts, waits until it is.'] : []
}

function describeClock(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const way = aheadMs > 0 ? 'ahead of' : 'behind'
  return `This machine's clock is ${seconds} s ${way} the database's. Signatures and schedules depend on it: correct one of the clocks.`
}
