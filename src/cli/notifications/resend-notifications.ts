import type { Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  countToResend,
  resendById,
  resendMany,
  sendableStates,
  type ResendFilter,
} from '../../core/notifications/bulk/resend-many.ts'
import { filterOptions, readFilter } from './read-filter.ts'
import { byCommandLine } from '../reach/who.ts'
import { whose } from '../reach/whose.ts'
import { withDatabase } from '../reach/with-database.ts'
import { flag, readArguments, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { confirmed } from '../terminal/confirmed.ts'
import { print } from '../terminal/print.ts'

const idsMax = 100
const originsNamed = 3

export async function resendNotifications(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...filterOptions, yes: { type: 'boolean' } }, idsMax)
  const narrowing = ['status', 'since', 'until', 'origin', 'event'].filter((name) => name in parsed.values)
  const ids = parsed.words
  if (ids.length === 0 && narrowing.length === 0)
    throw new UsageMistake('Give an ID, or a filter such as --status failed --since 24h')
  if (ids.length > 0 && narrowing.length > 0) throw new UsageMistake('Give IDs or a filter, not both')
  const filter = readFilter(parsed, sendableStates)
  const count = await withDatabase(config, async (db) => {
    const merchantId = await whose(db, parsed)
    if (ids.length === 0)
      return byFilter(db, parsed, { ...filter, merchantId, state: filter.state ?? 'failed' })
    for (const id of ids) await resendById(db, { merchantId, id }, byCommandLine())
    return ids.length
  })
  if (flag(parsed, 'json')) return print(JSON.stringify({ resent: count }))
  print(count === 0 ? 'Nothing to resend' : `Resending ${notificationsOf(count)} now`)
}

async function byFilter(db: Database, parsed: Parsed, filter: ResendFilter): Promise<number> {
  const now = new Date()
  const origins = await countToResend(db, { ...filter, until: filter.until ?? now.toISOString() })
  const total = origins.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 0
  const named = origins.slice(0, originsNamed).map(({ origin, count }) => `${origin} (${count})`)
  const more = origins.length > originsNamed ? [`${origins.length - originsNamed} more`] : []
  await confirmed(
    parsed,
    `Resend ${notificationsOf(total)} in ${filter.mode} mode to ${[...named, ...more].join(', ')}?`,
  )
  return resendMany(db, filter, byCommandLine(), now)
}

function notificationsOf(count: number): string {
  return count === 1 ? '1 notification' : `${count} notifications`
}
