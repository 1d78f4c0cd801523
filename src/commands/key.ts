import type { Config } from '../config.ts'
import { parseAmount } from '../money/money.ts'
import { isCurrency } from '../money/currencies.ts'
import { createKey, revokeKey, rollKey, type FormBounds } from '../merchants/change-keys.ts'
import { hostRule, readHost } from '../merchants/form-host.ts'
import type { KeyKind, Mode } from '../merchants/key-format.ts'
import { listKeys, type KeySummary } from '../merchants/list.ts'
import {
  flag,
  oneOf,
  print,
  printTable,
  readArguments,
  text,
  UsageMistake,
  wholeNumber,
} from './arguments.ts'
import { whose } from './whose.ts'
import { withDatabase } from './with-database.ts'

export const keyHelp = `florin key create [--kind secret|form|api] [--mode test|live] [--name NAME] [--json]
                  form keys: --hosts shop.example.com[,…] [--currency GBP] [--min 1.00] [--max 500.00]
                  hosts: where return_url may lead, by name alone: no https://, no port, no path, no *
florin key list [--json]
florin key roll KEY_ID [--overlap HOURS] [--json]    the old key ends after 0 to 72 hours (24)
florin key revoke KEY_ID [--json]                    at once, on every server

  --merchant NUMBER says whose key; it may be left out while there is only one merchant.
  create and roll print just the key, this one time: Florin keeps its hash only.`

const merchantOption = { merchant: { type: 'string' }, json: { type: 'boolean' } } as const

export async function key(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'create') return create(config, rest)
  if (verb === 'list') return list(config, rest)
  if (verb === 'roll') return roll(config, rest)
  if (verb === 'revoke') return revoke(config, rest)
  throw new UsageMistake('Say what to do: florin key create, list, roll or revoke')
}

type Parsed = ReturnType<typeof readArguments>

async function create(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    ...merchantOption,
    kind: { type: 'string' },
    mode: { type: 'string' },
    name: { type: 'string' },
    hosts: { type: 'string' },
    currency: { type: 'string' },
    min: { type: 'string' },
    max: { type: 'string' },
  })
  const kind = oneOf<KeyKind>('kind', text(parsed, 'kind') ?? 'secret', ['secret', 'form', 'api'])
  const mode = oneOf<Mode>('mode', text(parsed, 'mode') ?? 'test', ['test', 'live'])
  const bounds = kind === 'form' ? readBounds(parsed) : undefined
  const name = text(parsed, 'name') ?? `${kind} key`
  const fresh = await withDatabase(config, async (db) =>
    createKey(db, await whose(db, parsed), { kind, mode, name, ...(bounds && { bounds }) }),
  )
  print(flag(parsed, 'json') ? JSON.stringify(fresh) : fresh.key)
}

async function list(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, merchantOption)
  const keys = await withDatabase(config, async (db) => listKeys(db, await whose(db, parsed)))
  if (flag(parsed, 'json')) return print(JSON.stringify(keys))
  const rows = keys.map((row) => [
    row.id,
    row.hint,
    row.name,
    condition(row),
    row.last_used_at?.slice(0, 19) ?? 'never',
  ])
  printTable(['KEY_ID', 'KEY', 'NAME', 'STATE', 'LAST USED'], rows)
}

async function roll(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...merchantOption, overlap: { type: 'string' } }, 1)
  const id = keyId(parsed)
  const overlap = wholeNumber(parsed, 'overlap') ?? 24
  const fresh = await withDatabase(config, async (db) => rollKey(db, await whose(db, parsed), id, overlap))
  print(flag(parsed, 'json') ? JSON.stringify(fresh) : fresh.key)
}

async function revoke(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, merchantOption, 1)
  const id = keyId(parsed)
  await withDatabase(config, async (db) => revokeKey(db, await whose(db, parsed), id))
  if (flag(parsed, 'json')) print(JSON.stringify({ id, revoked: true }))
}

function keyId(parsed: Parsed): string {
  const id = parsed.words[0]
  if (id === undefined) throw new UsageMistake('Give the id of the key, such as key_… (florin key list)')
  return id
}

function readBounds(parsed: Parsed): FormBounds {
  const hosts = (text(parsed, 'hosts') ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  const odd = hosts.find((host) => readHost(host) === undefined)
  if (odd !== undefined) throw new UsageMistake(`--hosts ${hostRule}, but one is "${odd}"`)
  if (hosts.length === 0)
    throw new UsageMistake('A form key needs --hosts: where customers may be sent back to')
  const currency = text(parsed, 'currency')?.toUpperCase()
  if (currency !== undefined && !isCurrency(currency))
    throw new UsageMistake(`--currency: ${currency} is not a currency`)
  const minMinor = amount(parsed, 'min', currency)
  const maxMinor = amount(parsed, 'max', currency)
  return {
    hosts,
    ...(currency && { currencies: [currency] }),
    ...(minMinor !== undefined && { minMinor }),
    ...(maxMinor !== undefined && { maxMinor }),
  }
}

function amount(parsed: Parsed, name: string, currency: string | undefined): bigint | undefined {
  const value = text(parsed, name)
  if (value === undefined) return undefined
  if (currency === undefined)
    throw new UsageMistake(`--${name} needs --currency, so that its amount has a meaning`)
  const read = parseAmount(value, currency)
  if (!read.ok) throw new UsageMistake(`--${name}: ${read.rule}`)
  return read.minor
}

function condition(row: KeySummary): string {
  if (row.revoked_at !== null) return 'revoked'
  if (row.ends_at !== null)
    return Date.parse(row.ends_at) <= Date.now() ? 'ended' : `ends ${row.ends_at.slice(0, 16)}`
  return row.exposed_at === null ? 'active' : 'active, exposed in a form'
}
