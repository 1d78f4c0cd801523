import type { Config } from '../../platform/settings/config.ts'
import { meantAmong } from '../../core/notifications/receiver-of.ts'
import { listPausedReceivers, resumeReceiver } from '../../core/notifications/ipn/resume-receiver.ts'
import { makeOutbox } from '../../core/notifications/outbox.ts'
import { listNotifications, showNotification } from './list-notifications.ts'
import { resendNotifications } from './resend-notifications.ts'
import { whose } from '../reach/whose.ts'
import { byCommandLine } from '../reach/who.ts'
import { withDatabase } from '../reach/with-database.ts'
import { flag, modeOption, readArguments, UsageMistake, webAddress } from '../terminal/arguments.ts'
import { confirmed } from '../terminal/confirmed.ts'
import { print, printTable } from '../terminal/print.ts'
import { minuteOf } from '../terminal/times.ts'

export const notificationsHelp = `florin notifications list [FILTER…] [--kind ipn|mail] [--limit 50] [--json]
florin notifications show ID [--json]
florin notifications resend ID… [--json]
florin notifications resend FILTER… [--yes] [--json]
florin notifications paused [--mode test|live] [--json]
florin notifications resume [--origin URL] [--all] [--mode test|live]
                            [--yes] [--json]

  Notifications to merchants and customers, sent and scheduled. list shows the
  newest first, show one with every delivery attempt. resend sends the named
  ones, or all IPNs that match the filter, again with the same webhook-id; it
  asks first. Florin pauses a receiver that fails for 120 hours, and its
  notifications wait: paused lists such receivers, resume sends what is waiting.

  FILTER, as many as you like:
  --status     waiting|delivered|failed|paused|skipped|kept, or failing: waits
               for another attempt after a failed one
               resend takes failed (the default) and delivered
  --since      only after this time: 2026-11-15T14:05:00Z, 30min, 24h
  --until      only before this time
  --origin     one receiver, by its URL: https://shop.example.com/ipn; a host
               alone means all receivers on it
  --event      one kind of event, such as payment.success
  --mode       test|live (test)

  --all        every paused receiver
  --yes        don't ask
  --merchant   the merchant's number; not needed while there is only one`

const common = { merchant: { type: 'string' }, mode: { type: 'string' }, json: { type: 'boolean' } } as const

export async function notifications(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'list') return listNotifications(config, rest)
  if (verb === 'show') return showNotification(config, rest)
  if (verb === 'resend') return resendNotifications(config, rest)
  if (verb === 'paused') return paused(config, rest)
  if (verb === 'resume') return resume(config, rest)
  throw new UsageMistake('Name a subcommand: florin notifications list, show, resend, paused or resume')
}

async function paused(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common)
  const mode = modeOption(parsed)
  const receivers = await withDatabase(config, async (db) =>
    listPausedReceivers(db, { merchantId: await whose(db, parsed), mode }),
  )
  if (flag(parsed, 'json')) return print(JSON.stringify(receivers))
  printTable(
    ['ORIGIN', 'FAILING SINCE', 'PAUSED'],
    receivers.map((row) => [
      row.origin,
      row.failingSince === null ? '' : minuteOf(row.failingSince),
      minuteOf(row.pausedAt),
    ]),
    { empty: `No receiver is paused in ${mode} mode.` },
  )
}

async function resume(config: Config, args: string[]): Promise<void> {
  const options = { origin: { type: 'string' }, all: { type: 'boolean' }, yes: { type: 'boolean' } } as const
  const parsed = readArguments(args, { ...common, ...options })
  const mode = modeOption(parsed)
  const isAll = flag(parsed, 'all')
  if (isAll && parsed.values['origin'] !== undefined)
    throw new UsageMistake('Give --origin or --all, not both')
  const named = isAll ? undefined : webAddress(parsed, 'origin', 'https://shop.example.com/ipn').href
  const resumed = await withDatabase(config, async (db) => {
    const of = { merchantId: await whose(db, parsed), mode }
    const known = (await listPausedReceivers(db, of)).map(({ origin }) => origin)
    const origins = named === undefined ? known : meantAmong(known, named)
    const count = `${origins.length} ${origins.length === 1 ? 'receiver' : 'receivers'}`
    if (isAll && origins.length > 0)
      await confirmed(parsed, `Resume ${count} of ${mode} mode: ${origins.join(', ')}?`)
    const done: { origin: string; deliveries: number }[] = []
    for (const origin of origins) {
      const room = { db, outbox: makeOutbox() }
      const deliveries = await resumeReceiver(room, { ...of, origin }, byCommandLine())
      done.push({ origin, deliveries })
    }
    return done
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(isAll ? resumed : resumed[0]))
  for (const { origin, deliveries } of resumed)
    print(`Sending ${deliveries} waiting deliveries to ${origin} now`)
  if (resumed.length === 0) print(`No receiver is paused in ${mode} mode`)
}
