import type { Config } from '../config.ts'
import { changeMerchant, createMerchant, enableCurrency } from '../merchants/create-merchant.ts'
import { refuseUnsafeLive } from '../merchants/live-needs-durability.ts'
import { listMerchants } from '../merchants/list.ts'
import { flag, merchantNumber, print, printTable, readArguments, text, UsageMistake } from './arguments.ts'
import { withDatabase } from './with-database.ts'

export const merchantHelp = `florin merchant create --name NAME [--email ADDRESS] [--live] [--currency EUR,USD] [--json]
florin merchant list [--json]
florin merchant set NUMBER [--email ADDRESS] [--live on|off] [--currency EUR,USD] [--form-secret-keys on|off]

  create prints the merchant's 8-digit number. GBP is always on; --currency switches on more.
  --email is where the merchant is told of trouble, such as a receiver that is paused.
  --live switches live payments on. --form-secret-keys off refuses secret keys in web forms.`

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
  const name = text(parsed, 'name')
  if (name === undefined) throw new UsageMistake('--name is required, such as --name "Corner shop"')
  const currencies = codes(text(parsed, 'currency'))
  const email = text(parsed, 'email')
  const live = flag(parsed, 'live')
  const number = await withDatabase(config, async (db) => {
    if (live) await refuseUnsafeLive(db, config.ALLOW_UNSAFE_DATABASE === 'on')
    return createMerchant(db, { name, liveEnabled: live, currencies, ...(email && { email }) })
  })
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
  printTable(['NUMBER', 'NAME', 'MODE', 'SINCE'], rows)
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
  await withDatabase(config, async (db) => {
    if (live) await refuseUnsafeLive(db, config.ALLOW_UNSAFE_DATABASE === 'on')
    await changeMerchant(db, number, {
      ...(email && { email }),
      ...(live !== undefined && { liveEnabled: live }),
      ...(forms !== undefined && { formsTakeSecretKeys: forms }),
    })
    for (const currency of codes(text(parsed, 'currency'))) await enableCurrency(db, number, currency)
  })
}

function codes(commaSeparated: string | undefined): string[] {
  return (commaSeparated ?? '')
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '')
}

function onOff(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'on' && value !== 'off')
    throw new UsageMistake(`--${name} must be on or off, but is "${value}"`)
  return value === 'on'
}
