import type { Config } from '../platform/settings/config.ts'
import { auditActions } from '../core/audit/audit.ts'
import { listAudit, type EntryRow } from '../core/audit/list-audit.ts'
import {
  flag,
  merchantNumber,
  readArguments,
  text,
  UsageMistake,
  limitMax,
  limitOption,
  type Parsed,
} from './terminal/arguments.ts'
import { print, printTable } from './terminal/print.ts'
import { minuteOf, timeOption } from './terminal/times.ts'
import { withDatabase } from './reach/with-database.ts'

const limitDefault = 50

export const auditHelp = `florin audit [--merchant NUMBER] [--what ACTION] [--on SUBJECT]
             [--since TIME] [--until TIME] [--limit 50] [--json]

  The audit log: who changed keys, secrets, merchants and settings, deleted
  projects, cancelled payments and resent notifications; newest first. Each
  entry is committed together with its change and never edited. --json adds the
  address, the request, and the values before and after.

  --merchant         of one merchant; 0 for the installation itself. Default:
                     all
  --what             an action or the start of one: key.revoked, key
  --on               the thing that was changed: the id of a key, a tx_ref
  --since, --until   2026-11-15T14:05:00Z, or how long ago: 30min, 24h, 7d
  --limit            how many, at most ${limitMax} (${limitDefault})`

export async function audit(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    merchant: { type: 'string' },
    what: { type: 'string' },
    on: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  })
  const merchantId = readMerchant(parsed)
  const filter = {
    action: readAction(parsed),
    subject: text(parsed, 'on'),
    since: timeOption(parsed, 'since'),
    until: timeOption(parsed, 'until'),
    limit: limitOption(parsed, limitDefault),
  }
  const entries = await withDatabase(config, async (db) => listAudit(db, merchantId, filter))
  if (flag(parsed, 'json')) return print(JSON.stringify(entries))
  printTable(
    ['AT', 'MERCHANT', 'WHO', 'WHAT', 'ON', 'DETAILS'],
    entries.map((entry) => [
      minuteOf(entry.at),
      entry.merchant_id === 0 ? '-' : String(entry.merchant_id),
      entry.actor,
      entry.action,
      entry.subject,
      details(entry),
    ]),
    { empty: 'No matching audit entries.' },
  )
}

/** In one line: the values before and after. */
function details({ before, after }: EntryRow): string {
  const [old, now] = [before, after].map((facts) => (facts ?? {}) as Record<string, unknown>)
  const names = [...new Set([...Object.keys(now ?? {}), ...Object.keys(old ?? {})])]
  return names
    .flatMap((name) => {
      const [was, is] = [shown(old?.[name]), shown(now?.[name])]
      if (was === is || (was ?? is) === undefined) return []
      return [`${name}=${was === undefined ? is : is === undefined ? was : `${was}→${is}`}`]
    })
    .join(' ')
}

function shown(fact: unknown): string | undefined {
  if (fact === undefined || fact === null) return undefined
  return typeof fact === 'string' && !/[\s="]/.test(fact) && fact !== '' ? fact : JSON.stringify(fact)
}

function readMerchant(parsed: Parsed): number | undefined {
  const given = text(parsed, 'merchant')
  if (given === undefined) return undefined
  const number = given === '0' ? 0 : merchantNumber(given)
  if (number === undefined)
    throw new UsageMistake(`--merchant must be the merchant's 8-digit number, or 0, but is "${given}"`)
  return number
}

function readAction(parsed: Parsed): string | undefined {
  const given = text(parsed, 'what')
  if (given !== undefined && !auditActions.some((action) => action.startsWith(given)))
    throw new UsageMistake(
      `--what must be one of ${auditActions.join(', ')}, or the beginning of one, but is "${given}"`,
    )
  return given
}
