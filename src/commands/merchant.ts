import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { changeMerchant, createMerchant, enableCurrency } from '../merchants/create-merchant.ts'
import { refuseUnsafeLive } from '../merchants/live-needs-durability.ts'
import { listMerchants } from '../merchants/list.ts'
import { isCurrency } from '../money/currencies.ts'
import { flag, merchantNumber, readArguments, shownName, text, UsageMistake } from './terminal/arguments.ts'
import { print, printTable } from './terminal/print.ts'
import { byCommandLine } from './reach/who.ts'
import { withDatabase } from './reach/with-database.ts'

export const merchantHelp = `florin merchant create --name NAME [--email ADDRESS] [--live]
                       [--currency EUR,USD] [--json]
florin merchant list [--json]
florin merchant set NUMBER [--email ADDRESS] [--live on|off]
                    [--currency EUR,USD] [--form-secret-keys on|off]

  create prints the merchant's 8-digit number; set says what is on now.

  --email              where the merchant is told of trouble, such as a receiver
                       that is paused
  --live               switch live payments on
  --currency           switch on more currencies; GBP is always on
  --form-secret-keys   off refuses secret keys in web forms`

const textOption = { type: 'string' } as const

export async function merchant(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'create') return create(config, rest)
  if (verb === 'list') return list(config, rest)
  if (verb === 'set') return set(config, rest)
  throw new UsageMistake('Say what to do: florin merchant create, list or set')
}

async function create(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    name: { type: 'string' },
    email: { type: 'string' },
    live: { type: 'boolean' },
    currency: { type: 'string' },
    json: { type: 'boolean' },
  })
  const name = shownName(parsed)
  if (name === undefined) throw new UsageMistake('--name is required, such as --name "Corner shop"')
  const currencies = codes(text(parsed, 'currency'))
  const email = text(parsed, 'email')
  const live = flag(parsed, 'live')
  const make = async (db: Database): Promise<number> => {
    if (live) await refuseUnsafeLive(db, config.ALLOW_UNSAFE_DATABASE === 'on')
    const fresh = { name, liveEnabled: live, currencies, ...(email !== undefined && { email }) }
    return createMerchant(db, fresh, byCommandLine())
  }
  const number = await withDatabase(config, make, { mayCreate: true })
  print(flag(parsed, 'json') ? JSON.stringify({ merchant: number, name }) : String(number))
}

async function list(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } })
  const merchants = await withDatabase(config, (db) => listMerchants(db))
  if (flag(parsed, 'json')) return print(JSON.stringify(merchants))
  const rows = merchants.map((row) => [
    String(row.merchant),
    row.name,
    row.live_enabled ? 'live' : 'test only',
    row.created_at.slice(0, 10),
  ])
  printTable(['NUMBER', 'NAME', 'MODE', 'SINCE'], rows, {
    empty: 'No merchants yet: florin merchant create --name "Corner shop"',
  })
}

async function set(config: Config, args: string[]): Promise<void> {
  const options = {
    email: textOption,
    live: textOption,
    currency: textOption,
    'form-secret-keys': textOption,
  }
  const parsed = readArguments(args, options, 1)
  const number = merchantNumber(parsed.words[0])
  if (number === undefined)
    throw new UsageMistake("Give the merchant's 8-digit number: florin merchant set 12345678 --live on")
  const email = text(parsed, 'email')
  const live = onOff('live', text(parsed, 'live'))
  const forms = onOff('form-secret-keys', text(parsed, 'form-secret-keys'))
  const currencies = codes(text(parsed, 'currency'))
  if (Object.keys(parsed.values).length === 0)
    throw new UsageMistake('Say what to change: --email, --live, --currency or --form-secret-keys')
  const now = await withDatabase(config, async (db) => {
    if (live) await refuseUnsafeLive(db, config.ALLOW_UNSAFE_DATABASE === 'on')
    const changes = {
      ...(email !== undefined && { email }),
      ...(live !== undefined && { liveEnabled: live }),
      ...(forms !== undefined && { formsTakeSecretKeys: forms }),
    }
    await changeMerchant(db, number, changes, byCommandLine())
    for (const currency of currencies) await enableCurrency(db, number, currency, byCommandLine())
    return (await listMerchants(db)).find((row) => row.merchant === number)
  })
  const state = [
    now?.live_enabled === true ? 'live' : 'test only',
    ...(now?.forms_take_secret_keys === false ? ['no secret keys in forms'] : []),
    ...(email === undefined ? [] : [email]),
    ...(currencies.length === 0 ? [] : [`${currencies.join(', ')} on`]),
  ]
  print(`Merchant ${number} is now: ${state.join('; ')}`)
}

function codes(commaSeparated: string | undefined): string[] {
  const found = (commaSeparated ?? '')
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '')
  const odd = found.find((code) => !isCurrency(code))
  if (odd !== undefined) throw new UsageMistake(`--currency: ${odd} is not a currency`)
  return found
}

function onOff(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off')
    throw new UsageMistake(`--${name} must be on or off, but is "${value}"`)
  return value === 'on'
}
