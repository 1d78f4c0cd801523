import type { Config } from '../platform/settings/config.ts'
import type { Database } from '../platform/database/database.ts'
import { Refusal } from '../platform/errors/refusals.ts'
import { parseAmount } from '../platform/money/money.ts'
import { isCurrency } from '../platform/money/currencies.ts'
import { createKey, revokeKey, rollKey, type FreshKey } from '../core/merchants/change-keys.ts'
import { isPrefix, prefixRule, type FormBounds } from '../core/merchants/form-bounds.ts'
import { hostRule, readHost } from '../core/merchants/form-host.ts'
import { dialects, type Dialect, type KeyKind } from '../core/merchants/key-format.ts'
import { listKeys, type KeySummary } from '../core/merchants/list.ts'
import {
  flag,
  modeOption,
  oneOf,
  overlap,
  readArguments,
  shownName,
  text,
  UsageMistake,
} from './terminal/arguments.ts'
import { print, printTable } from './terminal/print.ts'
import { span } from './terminal/times.ts'
import { openKeyRing } from './reach/open-key-ring.ts'
import { byCommandLine } from './reach/who.ts'
import { whose } from './reach/whose.ts'
import { withDatabase } from './reach/with-database.ts'

export const keyHelp = `florin key create [--kind secret|api] [--mode test|live] [--name NAME]
                  [--no-refund] [--dialect family] [--json]
florin key create --kind form --hosts shop.example.com[,…] [--signed]
                  [--callback-hosts shop.example.com[,…]] [--tx-ref-prefix web-]
                  [--currency GBP] [--min 1.00] [--max 500.00] [--allow-title]
                  [--dialect …] [--mode …] [--name …] [--json]
florin key list [--json]
florin key roll KEY_ID [--overlap HOURS] [--json]
florin key revoke KEY_ID [--json]

  create and roll print only the key, and only once: Florin stores just its
  hash. With --signed a second line has the secret for signing forms. A revoked
  key stops working at once, on every server.

  --kind             secret|api|form (secret): for payments, for projects, for
                     web pages
  --mode             test|live (test); an API key has none
  --no-refund        a secret key that can't refund; rolling it keeps this
  --dialect          florin|family (florin): family is for a plugin written for
                     PayChangu, Chapa or a script of that family; rolling the
                     key keeps this
  --hosts            hosts allowed in return_url, names only: no https://, no
                     port, no path, no *
  --callback-hosts   hosts allowed in callback_url; default: those of --hosts
  --tx-ref-prefix    the prefix every tx_ref of a form must have
  --min, --max       the lowest and highest amount a form may ask for
  --signed           take signed forms only: see florin form
  --allow-title      show title, description and logo of unsigned forms;
                     otherwise they are ignored
  --overlap          for how many hours the old key stays valid, 0 to 72 (24)
  --merchant         the merchant's number; not needed while there is only one`

const merchantOption = { merchant: { type: 'string' }, json: { type: 'boolean' } } as const

export async function key(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'create') return create(config, rest)
  if (verb === 'list') return list(config, rest)
  if (verb === 'roll') return roll(config, rest)
  if (verb === 'revoke') return revoke(config, rest)
  throw new UsageMistake('Name a subcommand: florin key create, list, roll or revoke')
}

const formOptions = {
  hosts: { type: 'string' },
  'callback-hosts': { type: 'string' },
  'tx-ref-prefix': { type: 'string' },
  currency: { type: 'string' },
  min: { type: 'string' },
  max: { type: 'string' },
  signed: { type: 'boolean' },
  'allow-title': { type: 'boolean' },
} as const

type Parsed = ReturnType<typeof readArguments>

async function create(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    ...merchantOption,
    kind: { type: 'string' },
    mode: { type: 'string' },
    name: { type: 'string' },
    'no-refund': { type: 'boolean' },
    dialect: { type: 'string' },
    ...formOptions,
  })
  const kind = oneOf<KeyKind>('kind', text(parsed, 'kind') ?? 'secret', ['secret', 'form', 'api'])
  const mode = modeOption(parsed)
  const dialect = oneOf<Dialect>('dialect', text(parsed, 'dialect') ?? 'florin', dialects)
  refuseIdle(parsed, kind)
  const bounds = kind === 'form' ? readBounds(parsed) : undefined
  if (bounds?.minMinor !== undefined && bounds.maxMinor !== undefined && bounds.minMinor > bounds.maxMinor)
    throw new UsageMistake('--min must not be more than --max')
  const name = shownName(parsed) ?? `${kind} key`
  const fresh = await withDatabase(config, async (db) => {
    const merchantId = await whose(db, parsed)
    const mayRefund = !flag(parsed, 'no-refund')
    const request = { kind, mode, name, mayRefund, dialect, ...(bounds && { bounds }) }
    if (!flag(parsed, 'signed')) return createKey(db, merchantId, request, byCommandLine())
    const { secrets } = await openKeyRing(config, db)
    return createKey(db, merchantId, { ...request, signing: secrets }, byCommandLine())
  })
  printFresh(parsed, fresh)
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
    row.last_used_at === null ? 'never' : `${span(Date.now() - Date.parse(row.last_used_at))} ago`,
  ])
  printTable(['KEY_ID', 'KEY', 'NAME', 'STATE', 'LAST USED'], rows, {
    empty: 'No keys yet: florin key create',
  })
}

async function roll(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...merchantOption, overlap: { type: 'string' } }, 1)
  const id = keyId(parsed)
  const hours = overlap(parsed)
  const fresh = await withDatabase(config, async (db) => {
    const merchantId = await whose(db, parsed)
    const old = await findUnrevoked(db, merchantId, id)
    // Keys without a secret can be rolled without the secrets key.
    const ring = old?.form?.signed === true ? await openKeyRing(config, db) : undefined
    return rollKey(db, merchantId, id, hours, byCommandLine(), {
      ...(ring && { signing: ring.secrets }),
    })
  })
  printFresh(parsed, fresh)
}

function printFresh(parsed: Parsed, { formSecret, ...fresh }: FreshKey): void {
  const secret = formSecret === undefined ? {} : { form_secret: formSecret }
  if (flag(parsed, 'json')) return print(JSON.stringify({ ...fresh, ...secret }))
  print(fresh.key)
  if (formSecret !== undefined) print(formSecret)
}

async function revoke(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, merchantOption, 1)
  const id = keyId(parsed)
  await withDatabase(config, async (db) => {
    const merchantId = await whose(db, parsed)
    await findUnrevoked(db, merchantId, id)
    await revokeKey(db, merchantId, id, byCommandLine())
  })
  print(flag(parsed, 'json') ? JSON.stringify({ id, revoked: true }) : `Key ${id} is revoked`)
}

/** `florin key list` shows revoked keys, so "not found" would puzzle someone revoking one again. */
async function findUnrevoked(db: Database, merchantId: number, id: string): Promise<KeySummary | undefined> {
  const found = (await listKeys(db, merchantId)).find((row) => row.id === id)
  if (found && found.revoked_at !== null) throw new Refusal('not_found', 'This key is already revoked')
  return found
}

function keyId(parsed: Parsed): string {
  const id = parsed.words[0]
  if (id === undefined) throw new UsageMistake('Give the id of the key, such as key_… (florin key list)')
  return id
}

/** Refuses options that would do nothing: forgetting --kind form would put a secret key into a public page. */
function refuseIdle(parsed: Parsed, kind: KeyKind): void {
  const forForms = Object.keys(formOptions).find((name) => parsed.values[name] !== undefined)
  if (forForms !== undefined && kind !== 'form')
    throw new UsageMistake(`--${forForms} is for form keys: add --kind form`)
  if (flag(parsed, 'signed') && flag(parsed, 'allow-title'))
    throw new UsageMistake('--allow-title is for forms that are not signed: signed ones show their title')
  if (flag(parsed, 'no-refund') && kind !== 'secret')
    throw new UsageMistake('--no-refund is for secret keys: no other key can refund')
  if (kind === 'api' && parsed.values['dialect'] !== undefined)
    throw new UsageMistake('--dialect is for secret and form keys: an API key has none')
  if (kind === 'api' && parsed.values['mode'] !== undefined)
    throw new UsageMistake('--mode is for secret and form keys: an API key has no mode')
}

function readBounds(parsed: Parsed): FormBounds {
  const hosts = readHosts(parsed, 'hosts')
  if (hosts.length === 0)
    throw new UsageMistake('A form key needs --hosts: the hosts customers may return to')
  const callbackHosts = readHosts(parsed, 'callback-hosts')
  const txRefPrefix = text(parsed, 'tx-ref-prefix')
  if (txRefPrefix !== undefined && !isPrefix(txRefPrefix))
    throw new UsageMistake(`--tx-ref-prefix ${prefixRule}`)
  const currency = text(parsed, 'currency')?.toUpperCase()
  if (currency !== undefined && !isCurrency(currency))
    throw new UsageMistake(`--currency: ${currency} is not a currency`)
  const minMinor = amount(parsed, 'min', currency)
  const maxMinor = amount(parsed, 'max', currency)
  return {
    hosts,
    ...(callbackHosts.length > 0 && { callbackHosts }),
    ...(txRefPrefix !== undefined && { txRefPrefix }),
    showsTitle: flag(parsed, 'allow-title'),
    ...(currency && { currencies: [currency] }),
    ...(minMinor !== undefined && { minMinor }),
    ...(maxMinor !== undefined && { maxMinor }),
  }
}

function readHosts(parsed: Parsed, name: string): string[] {
  const hosts = (text(parsed, name) ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean)
  const odd = hosts.find((host) => readHost(host) === undefined)
  if (odd !== undefined) throw new UsageMistake(`--${name} ${hostRule}, but one is "${odd}"`)
  return hosts
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
  if (row.ends_at !== null) {
    const leftMs = Date.parse(row.ends_at) - Date.now()
    return leftMs <= 0 ? 'ended' : `ends in ${span(leftMs)}`
  }
  // Exposed: it was used in a web form, where everybody can read it.
  if (row.exposed_at !== null) return 'exposed'
  return ['active', !row.may_refund && 'no refunds', row.dialect !== 'florin' && `dialect ${row.dialect}`]
    .filter(Boolean)
    .join(', ')
}
