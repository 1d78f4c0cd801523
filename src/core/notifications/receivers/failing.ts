import type { Database } from '../../../platform/database/database.ts'
import { visitMerchants } from '../deliver/visit-merchants.ts'
import { findMerchantsWithBacklog } from '../due-look-store.ts'
import { listFailingTargets, type FailingTarget } from './failing-store.ts'

// What can't be delivered right now, in one line each: for operators and the dashboard's home page.

export { listFailingTargets, type FailingTarget }

const linesMax = 10

/** For all merchants with waiting deliveries; live ones first, mail before receivers. */
export async function describeFailing(db: Database): Promise<string[]> {
  const receivers: { readonly merchantId: number; readonly one: FailingTarget }[] = []
  const mail: FailingTarget[] = []
  await visitMerchants({
    find: async (after) => findMerchantsWithBacklog(db, after),
    async visit(merchantId) {
      for (const one of await listFailingTargets(db, merchantId))
        if (one.kind === 'mail') mail.push(one)
        else receivers.push({ merchantId, one })
    },
    // Returns what could be read; the worker logs the rest.
    onError: () => {},
  })
  const lines = receivers
    .toSorted(({ one }, { one: other }) => one.mode.localeCompare(other.mode))
    .map(({ merchantId, one }) => describeReceiver(merchantId, one))
  const more = lines.length - linesMax
  return [
    ...describeMail(mail),
    ...lines.slice(0, linesMax),
    ...(more > 0 ? [`${more} more receivers are failing: florin notifications list --status failing.`] : []),
  ]
}

function describeMail(failing: readonly FailingTarget[]): string[] {
  const [first] = failing
  if (!first) return []
  const count = failing.reduce((sum, each) => sum + each.count, 0)
  const mails = count === 1 ? '1 mail waits' : `${count} mails wait`
  return [`Can't send mail, ${mails}: ${reasonOf(first)}. Check SMTP_URL.`]
}

function describeReceiver(merchantId: number, one: FailingTarget): string {
  const what = one.count === 1 ? '1 notification' : `${one.count} notifications`
  return `${what} (${one.mode} mode) of merchant ${merchantId} to ${withoutQuery(one.target)} failed: ${reasonOf(one)}.`
}

/** A status, or the name of the failure. */
export function reasonOf({ status, error }: FailingTarget): string {
  return status === null ? (error ?? 'no answer') : `HTTP ${status}`
}

/** A merchant may keep a secret there. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '')
}
