import type { Config } from '../../platform/settings/config.ts'
import type { Command, Lists } from '../terminal/command.ts'
import { describeMissed } from '../../platform/database/spread/describe-missed.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeShop, createMerchant, enableCurrency } from '../../core/merchants/create-merchant.ts'
import { listMerchants, type MerchantSummary } from '../../core/merchants/list.ts'
import { readPayWithin, formatMinutes } from '../../core/merchants/times/pay-within.ts'
import { isCurrency } from '../../platform/money/currencies.ts'
import {
  flag,
  merchantNumber,
  onOff,
  readArguments,
  shownName,
  text,
  UsageMistake,
} from '../terminal/arguments.ts'
import { print, printLine, printTable } from '../terminal/print.ts'
import { withDatabase } from '../reach/with-database.ts'
import { brandHelp, brandOptions, readBrandOptions, readLogo, show } from './brand.ts'
import { live } from './live.ts'
import { resume, suspend } from './suspend.ts'
import { byCommandLine } from '../reach/who.ts'

const helpWith = (
  moveHelp: string,
): string => `florin merchant create --name NAME [--email ADDRESS] [--currency EUR,USD]
                       [--json]
florin merchant list [--json]
florin merchant show NUMBER [--json]
florin merchant set NUMBER [--email ADDRESS] [--currency EUR,USD]
                    [--form-secret-keys on|off] [--refund-fees on|off]
                    [--pay-within 24h]
                    [--name NAME] [--logo FILE|URL]
                    [--colour HEX] [--website URL] [--support-email ADDRESS]
                    [--support-phone NUMBER] [--address LINES]
                    [--company-number TEXT] [--vat-number TEXT] [--country GB]
                    [--time-zone ZONE] [--statement-descriptor TEXT]
                    [--embed-hosts HOSTS] [--languages cy,en]
                    [--receipt-first on|off] [--method-order bank,card]
                    [--terms-url URL] [--privacy-url URL]
                    [--legal-notice-url URL]
florin merchant live on|off [--merchant NUMBER] [--force] [--json]
florin merchant suspend NUMBER [--yes]
florin merchant resume NUMBER
florin merchant move NUMBER --to HOST:PORT [--json]

  create prints the merchant's 8-digit number; set prints the current settings.
  live on first checks the requirements: a working network account, an https
  BASE_URL, a mail server and a database that never loses an acknowledged
  payment; it lists what is missing and how to fix it. suspend refuses the
  merchant's keys and new payments; attempts, refunds, disputes and
  notifications in progress continue.

${moveHelp}

  --email              where to send alerts, such as about a paused receiver
  --currency           switch on more currencies; GBP is always on at first
  --form-secret-keys   off refuses secret keys in web forms
  --refund-fees        on returns the fee to the merchant with future refunds
  --pay-within         how long customers have to pay: 30min to 30d (24h);
                       existing payments keep their deadline
  --merchant           the merchant's number; not needed while there is only one
  --force              go live without mail or callbacks, or with a network's
                       sandbox
  --yes                suspend without asking

${brandHelp}`

const textOption = { type: 'string' } as const

/** `move` belongs to clusters. */
export function merchantWith(move: Command): Command {
  return {
    help: helpWith(move.help),
    run: async (config, args, lists) => merchant(config, args, lists, move),
  }
}

async function merchant(config: Config, args: string[], lists: Lists, move: Command): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'create') return create(config, rest)
  if (verb === 'list') return list(config, rest)
  if (verb === 'show') return show(config, rest)
  if (verb === 'set') return set(config, rest)
  if (verb === 'live') return live(config, rest, lists)
  if (verb === 'suspend') return suspend(config, rest)
  if (verb === 'resume') return resume(config, rest)
  if (verb === 'move') return move.run(config, rest, lists)
  throw new UsageMistake(
    'Name a subcommand: florin merchant create, list, show, set, live, suspend, resume or move',
  )
}

async function create(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    name: { type: 'string' },
    email: { type: 'string' },
    currency: { type: 'string' },
    json: { type: 'boolean' },
  })
  const name = shownName(parsed)
  if (name === undefined) throw new UsageMistake('--name is required, such as --name "Corner shop"')
  const currencies = codes(text(parsed, 'currency'))
  const email = text(parsed, 'email')
  const make = async (db: Database): Promise<number> =>
    createMerchant(db, { name, currencies, ...(email !== undefined && { email }) }, byCommandLine())
  const number = await withDatabase(config, make, { mayCreate: true })
  print(flag(parsed, 'json') ? JSON.stringify({ merchant: number, name }) : String(number))
}

async function list(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { json: { type: 'boolean' } })
  const [merchants, missed] = await withDatabase(
    config,
    async (db) => [await listMerchants(db), db.missed] as const,
  )
  if (missed) printLine(describeMissed(missed))
  if (flag(parsed, 'json')) return print(JSON.stringify(merchants))
  const rows = merchants.map((row) => [
    String(row.merchant),
    row.name,
    stateOf(row),
    row.created_at.slice(0, 10),
  ])
  printTable(['NUMBER', 'NAME', 'MODE', 'SINCE'], rows, {
    empty: missed ? '' : 'No merchants yet: florin merchant create --name "Corner shop"',
  })
}

function stateOf(row: Pick<MerchantSummary, 'live_enabled' | 'suspended_at'>): string {
  if (row.suspended_at !== null) return 'suspended'
  return row.live_enabled ? 'live' : 'test only'
}

async function set(config: Config, args: string[]): Promise<void> {
  const options = {
    ...brandOptions,
    name: textOption,
    email: textOption,
    currency: textOption,
    'form-secret-keys': textOption,
    'refund-fees': textOption,
    'pay-within': textOption,
  }
  const parsed = readArguments(args, options, 1)
  const number = merchantNumber(parsed.words[0])
  if (number === undefined)
    throw new UsageMistake("Give the merchant's 8-digit number: florin merchant set 12345678 --currency EUR")
  const email = text(parsed, 'email')
  const forms = onOff('form-secret-keys', text(parsed, 'form-secret-keys'))
  const refundFees = onOff('refund-fees', text(parsed, 'refund-fees'))
  const payWithinMinutes = minutesOf(text(parsed, 'pay-within'))
  const currencies = codes(text(parsed, 'currency'))
  if (Object.keys(parsed.values).length === 0)
    throw new UsageMistake('Name a setting to change, such as --name, --logo or --email', { seeHelp: true })
  const name = shownName(parsed)
  const brand = readBrandOptions(parsed)
  const logo = await readLogo(config, parsed)
  const now = await withDatabase(config, async (db) => {
    const changes = {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(forms !== undefined && { formsTakeSecretKeys: forms }),
      ...(refundFees !== undefined && { refundFees }),
      ...(payWithinMinutes !== undefined && { payWithinMinutes }),
    }
    const looks = brand && { ...brand, ...(logo && { logo }) }
    await changeShop(db, number, { merchant: changes, brand: looks }, byCommandLine())
    for (const currency of currencies) await enableCurrency(db, number, currency, byCommandLine())
    return (await listMerchants(db)).find((row) => row.merchant === number)
  })
  const state = [
    ...(now ? [stateOf(now)] : []),
    ...(now?.forms_take_secret_keys === false ? ['no secret keys in forms'] : []),
    ...(now?.refund_fees === true ? ['fees are returned with refunds'] : []),
    ...(payWithinMinutes === undefined
      ? []
      : [`payments can be paid for ${formatMinutes(payWithinMinutes)}`]),
    ...(email === undefined ? [] : [email]),
    ...(name === undefined ? [] : [`called ${name}`]),
    ...(brand ? [`${Object.keys(parsed.values).join(', ')} set`] : []),
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

const payWithinShape = /^(\d{1,6}) ?(min|h|d)$/
const unitNames: Readonly<Record<string, string>> = { min: 'minutes', h: 'hours', d: 'days' }

function minutesOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [, count = '', unit = ''] = payWithinShape.exec(value) ?? []
  if (count === '') throw new UsageMistake(`--pay-within must be such as 30min, 24h or 7d, but is "${value}"`)
  return readPayWithin(count, unitNames[unit] ?? '')
}
