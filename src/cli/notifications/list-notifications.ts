import type { Config } from '../../platform/settings/config.ts'
import { deliveryStates, type FoundDelivery } from '../../core/notifications/bulk/delivery-filter.ts'
import {
  findNotifications,
  presentFound,
  readNotification,
  type NotificationInFull,
} from '../../core/notifications/bulk/find-notifications.ts'
import { presentNotification } from '../../core/notifications/list-notifications.ts'
import { filterOptions, readFilter } from './read-filter.ts'
import { whose } from '../reach/whose.ts'
import { withDatabase } from '../reach/with-database.ts'
import { flag, limitOption, oneOf, readArguments, text, UsageMistake } from '../terminal/arguments.ts'
import { print, printFacts, printTable, printMore, visible } from '../terminal/print.ts'
import { minuteOf, span } from '../terminal/times.ts'

const kinds = ['ipn', 'mail'] as const
const limitDefault = 50

export async function listNotifications(config: Config, args: string[]): Promise<void> {
  const options = { ...filterOptions, kind: { type: 'string' }, limit: { type: 'string' } } as const
  const parsed = readArguments(args, options)
  const { state, ...filter } = readFilter(parsed, [...deliveryStates, 'failing'])
  const kind = text(parsed, 'kind')
  const limit = limitOption(parsed, limitDefault)
  const found = await withDatabase(config, async (db) => {
    const all = {
      ...filter,
      ...(state === 'failing' ? { isFailing: true } : { state }),
      merchantId: await whose(db, parsed),
      kind: kind === undefined ? undefined : oneOf('kind', kind, kinds),
    }
    return findNotifications(db, all, limit)
  })
  if (flag(parsed, 'json')) return print(JSON.stringify(found.map(presentFound)))
  printTable(
    ['ID', 'CREATED', 'EVENT', 'STATUS', 'LAST ANSWER', 'TO'],
    found.map((one) => [
      one.id,
      minuteOf(one.created_at),
      one.event,
      one.state,
      lastAnswer(one),
      one.target || '-',
    ]),
    { empty: `No matching notifications in ${filter.mode} mode.` },
  )
  printMore(found, limit)
}

export async function showNotification(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { merchant: { type: 'string' }, json: { type: 'boolean' } }, 1)
  const [id] = parsed.words
  if (id === undefined)
    throw new UsageMistake('Name one: florin notifications show ID (florin notifications list)')
  const found = await withDatabase(config, async (db) =>
    readNotification(db, { merchantId: await whose(db, parsed), id }),
  )
  if (flag(parsed, 'json')) return print(JSON.stringify(presentNotification(found)))
  printFacts({
    id: found.id,
    event: found.event,
    mode: found.mode,
    kind: found.kind,
    to: visible(found.target) || '-',
    status: found.state,
    created: found.created_at,
    finished: found.finished_at ?? undefined,
    'next try': nextTry(found),
  })
  if (found.attempts.length === 0) return
  print('')
  printTable(
    ['TRY', 'AT', 'TOOK', 'ANSWER', 'BODY'],
    found.attempts.map(({ attempt, at, ms, status, error, answer }) => [
      String(attempt),
      `${at.slice(0, 19)}Z`,
      `${ms} ms`,
      String(status ?? error ?? 'ok'),
      (answer ?? '').slice(0, 60),
    ]),
    { right: ['TRY', 'TOOK'] },
  )
}

function lastAnswer({ status, error }: FoundDelivery): string {
  return String(status ?? error ?? '-')
}

function nextTry({ next_try_at: at }: NotificationInFull): string | undefined {
  if (at === null) return undefined
  const leftMs = Date.parse(at) - Date.now()
  return leftMs <= 0 ? 'due now' : `in ${span(leftMs)}`
}
