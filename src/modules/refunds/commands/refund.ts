import { randomBytes } from 'node:crypto'
import type { Config } from '../../../platform/settings/config.ts'
import { callApi } from '../../../cli/reach/call-api.ts'
import { readPages } from '../../../cli/reach/read-pages.ts'
import { keyedApi, keyHelp, keyOption } from '../../../cli/reach/secret-key.ts'
import {
  flag,
  limitOption,
  readArguments,
  text,
  UsageMistake,
  type Parsed,
} from '../../../cli/terminal/arguments.ts'
import { confirmed } from '../../../cli/terminal/confirmed.ts'
import { accent, print, printFacts, printTable, printMore, visible } from '../../../cli/terminal/print.ts'
import { minuteOf, timeOption } from '../../../cli/terminal/times.ts'

export const refundHelp = `florin refund TX_REF [--amount 5.00] [--reason TEXT] [--ref REFUND_REF] [--yes]
              [--json]
florin refund show REFUND_REF [--json]
florin refund list [--tx-ref TX_REF] [--status STATUS] [--since TIME]
                   [--until TIME] [--limit 25] [--json]

  Refunds a payment: everything that is left, or --amount. Calls the Florin at
  BASE_URL, as your own program would; the key decides the mode. The money has
  been sent back when the status is success. Running it again with the same
  --ref never refunds twice.

  --reason         shown to the customer
  --ref            your reference for the refund; default: a random one
  --status         requested|submitted|success|failed
  --since, --until 2026-11-15T14:05:00Z, or how long ago: 30min, 24h, 7d
  --yes            don't ask

  ${keyHelp}`

type Refund = {
  readonly refund_ref: string
  readonly tx_ref: string
  readonly status: string
  readonly mode: string
  readonly currency: string
  readonly amount: string
  readonly fee_returned: string
  readonly reason: string
  readonly failure?: string
  readonly created_at: string
  readonly updated_at: string
}

const limitDefault = 25
const textOption = { type: 'string' } as const
const common = { ...keyOption, json: { type: 'boolean' } } as const

export async function refund(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'list') return list(config, rest)
  if (verb === 'show') return show(config, rest)
  return make(config, args)
}

async function make(config: Config, args: string[]): Promise<void> {
  const options = {
    amount: textOption,
    reason: textOption,
    ref: textOption,
    yes: { type: 'boolean' },
  } as const
  const parsed = readArguments(args, { ...common, ...options }, 1)
  const [txRef] = parsed.words
  if (txRef === undefined) throw new UsageMistake('Name a payment: florin refund TX_REF')
  const api = await keyedApi(config, parsed)
  const path = `/api/transaction/${encodeURIComponent(txRef)}`
  const payment = (await callApi(api, path)) as { amount: string; currency: string; email: string }
  const amount = text(parsed, 'amount')
  const how = amount === undefined ? 'all that is left' : `${visible(amount)} ${payment.currency}`
  const of = `${payment.amount} ${payment.currency} from ${visible(payment.email)}`
  await confirmed(parsed, `Refund ${how} of ${visible(txRef)} (${of}, ${api.mode} mode)?`)
  const reason = text(parsed, 'reason')
  const made = await callApi(api, `${path}/refund`, {
    refund_ref: text(parsed, 'ref') ?? `cli-${randomBytes(6).toString('hex')}`,
    ...(amount !== undefined && { amount }),
    ...(reason !== undefined && { reason }),
  })
  printRefund(parsed, made as Refund)
}

async function show(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common, 1)
  const [refundRef] = parsed.words
  if (refundRef === undefined)
    throw new UsageMistake('Name one: florin refund show REFUND_REF (florin refund list)')
  const found = await callApi(await keyedApi(config, parsed), `/api/refunds/${encodeURIComponent(refundRef)}`)
  printRefund(parsed, found as Refund)
}

function printRefund(parsed: Parsed, found: Refund): void {
  if (flag(parsed, 'json')) return print(JSON.stringify(found))
  const { currency } = found
  printFacts({
    refund_ref: visible(found.refund_ref),
    status: accent(found.status),
    mode: found.mode,
    amount: `${currency} ${found.amount}`,
    'fee returned': `${currency} ${found.fee_returned}`,
    tx_ref: visible(found.tx_ref),
    reason: found.reason === '' ? undefined : visible(found.reason),
    failure: found.failure === undefined ? undefined : visible(found.failure),
    created: found.created_at,
    updated: found.updated_at,
  })
}

async function list(config: Config, args: string[]): Promise<void> {
  const options = {
    'tx-ref': textOption,
    status: textOption,
    since: textOption,
    until: textOption,
    limit: textOption,
  }
  const parsed = readArguments(args, { ...common, ...options })
  const limit = limitOption(parsed, limitDefault)
  const wanted = {
    tx_ref: text(parsed, 'tx-ref'),
    status: text(parsed, 'status'),
    created_from: timeOption(parsed, 'since'),
    created_to: timeOption(parsed, 'until'),
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, value)
  const api = await keyedApi(config, parsed)
  const found = await readPages<Refund>(api, '/api/refunds', query, limit)
  if (flag(parsed, 'json')) return print(JSON.stringify(found))
  printTable(
    ['CREATED', 'STATUS', 'AMOUNT', '', 'REFUND_REF', 'TX_REF'],
    found.map((one) => [
      minuteOf(one.created_at),
      one.status,
      one.amount,
      one.currency,
      visible(one.refund_ref),
      visible(one.tx_ref),
    ]),
    { right: ['AMOUNT'], empty: `No matching refunds in ${api.mode} mode.` },
  )
  printMore(found, limit)
}
