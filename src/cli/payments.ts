import { randomBytes } from 'node:crypto'
import type { Config } from '../platform/settings/config.ts'
import { callApi } from './reach/call-api.ts'
import { readPages } from './reach/read-pages.ts'
import { keyedApi, keyHelp, keyOption, type KeyedApi } from './reach/secret-key.ts'
import { flag, limitOption, readArguments, text, UsageMistake, type Parsed } from './terminal/arguments.ts'
import { accent, print, printFacts, printTable, printMore, visible } from './terminal/print.ts'
import { minuteOf, timeOption } from './terminal/times.ts'

export const paymentsHelp = `florin payments create --amount 10.00 [--currency GBP] [--tx-ref REF]
                       [--email ADDRESS] [--first-name NAME] [--last-name NAME]
                       [--title TEXT] [--description TEXT] [--project NAME]
                       [--callback-url URL] [--return-url URL] [--json]
florin payments show TX_REF [--json]
florin payments list [--status STATUS] [--email ADDRESS] [--currency GBP]
                     [--project NAME] [--since TIME] [--until TIME]
                     [--limit 25] [--json]
florin payments cancel TX_REF [--json]

  Calls the Florin at BASE_URL, as your own program would. The key decides the
  mode. create prints the payment link; with a test key only the amount is
  required. list shows the newest first.

  --status         pending|success|failed|cancelled|expired|refunded|reversed
  --since, --until 2026-11-15T14:05:00Z, or how long ago: 30min, 24h, 7d

  ${keyHelp}`

type Transaction = {
  readonly tx_ref: string
  readonly status: string
  readonly mode: string
  readonly type: string
  readonly amount: string
  readonly charge: string
  readonly currency: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly reference: string
  readonly created_at: string
  readonly updated_at: string
  readonly checkout_url?: string
  readonly refunded?: string
  readonly project?: string
}

const limitDefault = 25
const common = { ...keyOption, json: { type: 'boolean' } } as const
const textOption = { type: 'string' } as const

export async function payments(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'create') return create(config, rest)
  if (verb === 'show') return show(config, rest)
  if (verb === 'list') return list(config, rest)
  if (verb === 'cancel') return cancel(config, rest)
  throw new UsageMistake('Name a subcommand: florin payments create, show, list or cancel')
}

async function create(config: Config, args: string[]): Promise<void> {
  const names = ['amount', 'currency', 'tx-ref', 'email', 'first-name', 'last-name', 'project'] as const
  const more = ['title', 'description', 'callback-url', 'return-url'] as const
  const options = Object.fromEntries([...names, ...more].map((name) => [name, textOption]))
  const parsed = readArguments(args, { ...common, ...options })
  if (text(parsed, 'amount') === undefined)
    throw new UsageMistake('--amount is required, such as --amount 10.00')
  const api = await keyedApi(config, parsed)
  const body = requestOf(api, parsed)
  const data = (await callApi(api, '/api/payment', body)) as { checkout_url: string }
  const { tx_ref, amount, currency } = body
  if (flag(parsed, 'json')) return print(JSON.stringify({ tx_ref, checkout_url: data.checkout_url }))
  printFacts({
    tx_ref: visible(tx_ref),
    amount: `${currency} ${amount}`,
    mode: api.mode,
    checkout_url: accent(visible(data.checkout_url)),
  })
}

/** With a test key the customer may be left out: no one pays, and no e-mail is sent. */
function requestOf(api: KeyedApi, parsed: Parsed) {
  const isTest = api.mode === 'test'
  const optional = (field: string, name: string): Record<string, string> => {
    const value = text(parsed, name)
    return value === undefined ? {} : { [field]: value }
  }
  const looks = { ...optional('title', 'title'), ...optional('description', 'description') }
  return {
    tx_ref: text(parsed, 'tx-ref') ?? `cli-${randomBytes(6).toString('hex')}`,
    amount: text(parsed, 'amount') ?? '',
    currency: text(parsed, 'currency') ?? 'GBP',
    ...(isTest && { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }),
    ...optional('email', 'email'),
    ...optional('first_name', 'first-name'),
    ...optional('last_name', 'last-name'),
    ...optional('project', 'project'),
    ...optional('callback_url', 'callback-url'),
    ...optional('return_url', 'return-url'),
    ...(Object.keys(looks).length > 0 && { customization: looks }),
  }
}

async function show(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common, 1)
  const path = pathOf(parsed, 'show')
  const found = await callApi(await keyedApi(config, parsed), path)
  printTransaction(parsed, found as Transaction)
}

async function cancel(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common, 1)
  const path = pathOf(parsed, 'cancel')
  const found = await callApi(await keyedApi(config, parsed), `${path}/cancel`, {})
  printTransaction(parsed, found as Transaction)
}

function pathOf(parsed: Parsed, verb: string): string {
  const [txRef] = parsed.words
  if (txRef === undefined)
    throw new UsageMistake(`Name one: florin payments ${verb} TX_REF (florin payments list)`)
  return `/api/transaction/${encodeURIComponent(txRef)}`
}

function printTransaction(parsed: Parsed, found: Transaction): void {
  if (flag(parsed, 'json')) return print(JSON.stringify(found))
  const { currency } = found
  printFacts({
    tx_ref: visible(found.tx_ref),
    status: accent(found.status),
    mode: found.mode,
    amount: `${currency} ${found.amount}`,
    charge: `${currency} ${found.charge}`,
    refunded: found.refunded === undefined ? undefined : `${currency} ${found.refunded}`,
    customer:
      visible(`${found.first_name} ${found.last_name}`.trim()) +
      visible(found.email === '' ? '' : ` <${found.email}>`),
    project: found.project === undefined ? undefined : visible(found.project),
    reference: found.reference,
    created: found.created_at,
    updated: found.updated_at,
    checkout_url: found.checkout_url === undefined ? undefined : visible(found.checkout_url),
  })
}

async function list(config: Config, args: string[]): Promise<void> {
  const filters = { status: textOption, email: textOption, currency: textOption, project: textOption }
  const times = { since: textOption, until: textOption, limit: textOption }
  const parsed = readArguments(args, { ...common, ...filters, ...times })
  const limit = limitOption(parsed, limitDefault)
  const wanted = [
    ...Object.keys(filters).map((name) => [name, text(parsed, name)] as const),
    ['created_from', timeOption(parsed, 'since')] as const,
    ['created_to', timeOption(parsed, 'until')] as const,
  ]
  const query = new URLSearchParams()
  for (const [name, value] of wanted) if (value !== undefined) query.set(name, value)
  const api = await keyedApi(config, parsed)
  const found = await readPages<Transaction>(api, '/api/transactions', query, limit)
  if (flag(parsed, 'json')) return print(JSON.stringify(found))
  printTable(
    ['CREATED', 'STATUS', 'AMOUNT', '', 'TX_REF', 'CUSTOMER'],
    found.map((one) => [
      minuteOf(one.created_at),
      one.status,
      one.amount,
      one.currency,
      one.tx_ref,
      one.email,
    ]),
    { right: ['AMOUNT'], empty: `No matching payments in ${api.mode} mode.` },
  )
  printMore(found, limit)
}
