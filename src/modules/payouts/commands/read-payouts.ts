import type { Config } from '../../../platform/settings/config.ts'
import { callApi } from '../../../cli/reach/call-api.ts'
import { readPages } from '../../../cli/reach/read-pages.ts'
import { keyedApi, keyOption } from '../../../cli/reach/secret-key.ts'
import { flag, limitOption, readArguments, text, UsageMistake } from '../../../cli/terminal/arguments.ts'
import { accent, print, printFacts, printTable, printMore, visible } from '../../../cli/terminal/print.ts'
import { minuteOf } from '../../../cli/terminal/times.ts'

// Payouts as a merchant's own program sees them: by the public API.

type Payout = {
  readonly id: string
  readonly status: string
  readonly network: string
  readonly amount: string
  readonly currency: string
  readonly arrives_on: string | null
  readonly bank_reference: string | null
  readonly failure: string | null
  readonly created_at: string
}

type Line = {
  readonly kind: string
  readonly tx_ref: string | null
  readonly gross: string
  readonly net: string
  readonly booked_at: string
}

const common = { ...keyOption, json: { type: 'boolean' }, limit: { type: 'string' } } as const
const limitDefault = 25

export async function listPayouts(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, status: { type: 'string' } })
  const limit = limitOption(parsed, limitDefault)
  const status = text(parsed, 'status')
  const api = await keyedApi(config, parsed)
  const query = new URLSearchParams(status === undefined ? {} : { status })
  const found = await readPages<Payout>(api, '/api/payouts', query, limit)
  if (flag(parsed, 'json')) return print(JSON.stringify(found))
  printTable(
    ['CREATED', 'STATUS', 'AMOUNT', '', 'NETWORK', 'BANK REFERENCE', 'PAYOUT'],
    found.map((one) => [
      minuteOf(one.created_at),
      one.status,
      one.amount,
      one.currency,
      one.network,
      visible(one.bank_reference ?? ''),
      one.id,
    ]),
    { right: ['AMOUNT'], empty: `No matching payouts in ${api.mode} mode.` },
  )
  printMore(found, limit)
}

export async function showPayout(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, common, 1)
  const [id] = parsed.words
  if (id === undefined) throw new UsageMistake('Name one: florin payouts show PAYOUT (florin payouts list)')
  const limit = limitOption(parsed, limitDefault)
  const api = await keyedApi(config, parsed)
  const path = `/api/payouts/${encodeURIComponent(id)}`
  const payout = (await callApi(api, path)) as Payout
  const lines = await readPages<Line>(api, `${path}/lines`, new URLSearchParams(), limit)
  if (flag(parsed, 'json')) return print(JSON.stringify({ ...payout, lines }))
  const ifKnown = (value: string | null): string | undefined => (value === null ? undefined : visible(value))
  printFacts({
    payout: payout.id,
    status: accent(payout.status),
    network: payout.network,
    amount: `${payout.currency} ${payout.amount}`,
    'bank reference': ifKnown(payout.bank_reference),
    'arrives on': ifKnown(payout.arrives_on),
    failure: ifKnown(payout.failure),
    created: payout.created_at,
  })
  print('')
  printTable(
    ['BOOKED', 'KIND', 'GROSS', 'NET', 'TX_REF'],
    lines.map((line) => [
      minuteOf(line.booked_at),
      line.kind,
      line.gross,
      line.net,
      visible(line.tx_ref ?? ''),
    ]),
    { right: ['GROSS', 'NET'], empty: 'The network has not listed what is in it yet.' },
  )
  printMore(lines, limit)
}
