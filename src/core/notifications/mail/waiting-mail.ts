import type { Database } from '../../../platform/database/database.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Logger } from '../../../platform/http/log.ts'
import { visitMerchants } from '../deliver/visit-merchants.ts'
import { findMerchantsWithWaitingMail } from '../due-look-store.ts'
import { mailOrigin, type Queue } from '../queues.ts'
import { countWaitingMail, resumeMail } from './waiting-mail-store.ts'

// Live mail that was written while there was no mail server. It goes out once a worker has one.

type Deps = {
  readonly db: Database
  readonly log: Logger
  readonly now: () => Date
  /** Tells the deliverer of this process. */
  readonly ask: (queue: Queue) => void
}

const everyMs = 60_000
const atOnce = 500
/** After a week no one expects a receipt: older mail stays in the mailbox. */
export const waitsDays = 7

export function waitingMailJob(deps: Deps): Job {
  return { name: 'send waiting mail', everyMs, run: async () => sendWaitingMail(deps) }
}

/** Some of each merchant; returns how many are sent. */
export async function sendWaitingMail({ db, log, now, ask }: Deps): Promise<number> {
  let sent = 0
  await visitMerchants({
    find: async (after) => findMerchantsWithWaitingMail(db, after),
    async visit(merchantId) {
      const at = now()
      const tooOldBefore = new Date(at.getTime() - waitsDays * 86_400_000)
      const count = await resumeMail(db, merchantId, { now: at, tooOldBefore, limit: atOnce })
      sent += count
      if (count > 0) ask({ merchantId, mode: 'live', origin: mailOrigin })
    },
    onError: (error, merchantId) =>
      log.warn({ err: error, merchant: merchantId }, "Could not send a merchant's waiting mail"),
  })
  if (sent > 0) log.info({ mails: sent }, 'Sending live mail that waited for a mail server')
  return sent
}

/** How many mails wait because no worker has a mail server. */
export async function countAllWaitingMail(db: Database, log?: Logger): Promise<number> {
  let count = 0
  await visitMerchants({
    find: async (after) => findMerchantsWithWaitingMail(db, after),
    async visit(merchantId) {
      count += await countWaitingMail(db, merchantId)
    },
    onError: (error, merchantId) =>
      log?.warn({ err: error, merchant: merchantId }, "Could not count a merchant's waiting mail"),
  })
  return count
}

export function describeWaitingMail(waiting: number): string {
  const mails = waiting === 1 ? '1 live mail waits' : `${waiting} live mails wait`
  return `${mails} for a mail server. Set SMTP_URL where the worker runs.`
}
