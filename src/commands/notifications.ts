import type { Config } from '../config.ts'
import { listPausedReceivers, resumeReceiver } from '../notifications/ipn/resume-receiver.ts'
import { makeOutbox } from '../notifications/outbox.ts'
import { flag, oneOf, print, printTable, readArguments, text, UsageMistake, webAddress } from './arguments.ts'
import { whose } from './whose.ts'
import { withDatabase } from './with-database.ts'

export const notificationsHelp = `florin notifications paused [--mode test|live] [--json]
florin notifications resume --origin URL [--mode test|live] [--json]

  A receiver that failed for 120 hours is paused, and what is due to it waits.
  paused lists such receivers; resume sends what has waited.

  --origin     the start of the receiver's URL, such as https://shop.example.com
  --mode       live when left out
  --merchant   the number of the merchant whose receivers they are; may be left
               out while there is only one`

const modes = ['test', 'live'] as const
const common = { merchant: { type: 'string' }, mode: { type: 'string' }, json: { type: 'boolean' } } as const

export async function notifications(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'paused') return paused(config, rest)
  if (verb === 'resume') return resume(config, rest)
  throw new UsageMistake('Say what to do: florin notifications paused or resume')
}

async function paused(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common)
  const mode = oneOf('mode', text(parsed, 'mode') ?? 'live', modes)
  const receivers = await withDatabase(config, async (db) =>
    listPausedReceivers(db, { merchantId: await whose(db, parsed), mode }),
  )
  if (flag(parsed, 'json')) return print(JSON.stringify(receivers))
  printTable(
    ['ORIGIN', 'FAILING SINCE', 'PAUSED'],
    receivers.map((row) => [row.origin, minuteOf(row.failingSince), minuteOf(row.pausedAt)]),
  )
}

async function resume(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, origin: { type: 'string' } })
  const mode = oneOf('mode', text(parsed, 'mode') ?? 'live', modes)
  const { origin } = webAddress(parsed, 'origin', 'https://shop.example.com')
  const deliveries = await withDatabase(config, async (db) =>
    resumeReceiver({ db, outbox: makeOutbox() }, { merchantId: await whose(db, parsed), mode, origin }),
  )
  if (flag(parsed, 'json')) return print(JSON.stringify({ origin, deliveries }))
  print(`${deliveries} deliveries to ${origin} go out now`)
}

function minuteOf(time: string): string {
  return `${time.slice(0, 16)}Z`
}
