import type { Config } from '../platform/settings/config.ts'
import { isCurrency } from '../platform/money/currencies.ts'
import { displayAmount } from '../platform/money/money.ts'
import { listHeld, sendBackHeld, type HeldCharge } from '../core/payments/attempts/hosted/held.ts'
import { byCommandLine } from './reach/who.ts'
import { whose } from './reach/whose.ts'
import { withDatabase } from './reach/with-database.ts'
import { confirmed } from './terminal/confirmed.ts'
import { flag, modeOption, readArguments, UsageMistake } from './terminal/arguments.ts'
import { print, printTable, printLine, visible } from './terminal/print.ts'
import { minuteOf } from './terminal/times.ts'

export const heldHelp = `florin held list [--mode test|live] [--json]
florin held return TX_REF [--mode test|live] [--yes]

  Charges that need a person: a network took another amount or currency than
  the payment's (held), or doesn't return a surplus charge (stuck). A held
  payment is not paid, and can't be paid again until its charge is returned.
  Check the charge in the network's dashboard first.

  --mode       test|live (test)
  --yes        don't ask
  --merchant   the merchant's number; not needed while there is only one`

const common = { merchant: { type: 'string' }, mode: { type: 'string' } } as const

export async function held(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'list') return list(config, rest)
  if (verb === 'return') return sendBack(config, rest)
  throw new UsageMistake('Name a subcommand: florin held list or return')
}

async function list(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, json: { type: 'boolean' } })
  const mode = modeOption(parsed)
  const charges = await withDatabase(config, async (db) =>
    listHeld(db, { merchantId: await whose(db, parsed), mode }),
  )
  if (flag(parsed, 'json')) {
    return print(
      JSON.stringify(charges, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    )
  }
  if (charges.length === 0) return printLine(`No ${mode} charge needs a person.`)
  printTable(
    ['TX_REF', 'WHAT', 'OWED', 'CHARGED', 'NETWORK', 'NETWORK ID', 'SINCE'],
    charges.map((charge) => [
      visible(charge.tx_ref),
      charge.state === 'held' ? 'held' : 'stuck',
      formatMoney(charge.amount_minor, charge.currency),
      formatMoney(charge.charged_minor, charge.charged_currency),
      charge.connector,
      visible(charge.charge_reference ?? charge.connector_reference ?? ''),
      minuteOf(charge.updated_at),
    ]),
  )
}

async function sendBack(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, yes: { type: 'boolean' } }, 1)
  const [txRef] = parsed.words
  if (txRef === undefined) throw new UsageMistake('Name one: florin held return TX_REF')
  const mode = modeOption(parsed)
  await withDatabase(config, async (db) => {
    const merchantId = await whose(db, parsed)
    const charge = (await listHeld(db, { merchantId, mode })).find(
      (each) => each.tx_ref === txRef && each.state === 'held',
    )
    if (!charge) throw new UsageMistake(`Nothing is held for ${visible(txRef)} in ${mode} mode`)
    await confirmed(parsed, `Send ${chargedOf(charge)} back to the customer of ${visible(txRef)}?`)
    const key = { merchantId, number: charge.number, attempt: charge.attempt }
    if (!(await sendBackHeld({ db, metrics: askedByNobody }, { key, by: byCommandLine(), at: new Date() })))
      throw new UsageMistake('Someone else has already handled this charge')
    printLine('A worker will ask the network to return it. The customer can then pay again.')
  })
}

/** A command has ended before anybody could ask it for figures. */
const askedByNobody = { attemptMoved: () => {} }

function chargedOf(charge: HeldCharge): string {
  return formatMoney(charge.charged_minor, charge.charged_currency)
}

/** A network may name a currency that we do not know. */
function formatMoney(minor: bigint | null, currency: string | null): string {
  if (minor === null || currency === null) return ''
  return isCurrency(currency) ? displayAmount(minor, currency, 'en-GB') : `${minor} ${visible(currency)}`
}
