import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../platform/settings/config.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readMerchant } from '../../../core/merchants/authenticate.ts'
import { formatAmount } from '../../../platform/money/money.ts'
import { listLeftOver, matchStatement } from '../bank/match-statement.ts'
import { describeLeftover } from '../bank/describe-leftover.ts'
import { describeReading, type Reading } from '../bank/reading.ts'
import { exportFormats, exportPeriod } from '../bookkeeping/export.ts'
import {
  changeBookkeeping,
  clearingField,
  networksToBook,
  readBookkeeping,
  settingNames,
  type Bookkeeping,
} from '../bookkeeping/settings.ts'
import { byCommandLine } from '../../../cli/reach/who.ts'
import { whose } from '../../../cli/reach/whose.ts'
import { withDatabase } from '../../../cli/reach/with-database.ts'
import {
  flag,
  modeOption,
  oneOf,
  readArguments,
  text,
  UsageMistake,
} from '../../../cli/terminal/arguments.ts'
import { print, printFacts, printTable, printLine, visible } from '../../../cli/terminal/print.ts'
import { standard } from '../../../cli/terminal/standard.ts'

// Bookkeeping at the command line: the same verbs as in the dashboard.

const option = { type: 'string' } as const
const common = { merchant: option, mode: option, currency: option } as const
const longMs = 10 * 60_000
const leftShown = 50

export async function exportBookkeeping(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, from: option, to: option, format: option, output: option })
  const format = oneOf('format', text(parsed, 'format') ?? 'csv', exportFormats)
  const [from, to, output] = ['from', 'to', 'output'].map((name) => text(parsed, name))
  if (from === undefined || to === undefined)
    throw new UsageMistake('Say the period: --from 2026-11-01 --to 2026-11-30')
  const mode = modeOption(parsed)
  await withDatabase(
    config,
    async (db) => {
      const merchantId = await whose(db, parsed)
      const merchant = await readMerchant(db, merchantId)
      if (!merchant) throw new Refusal('not_found', 'Merchant not found')
      const currency = (text(parsed, 'currency') ?? (format === 'datev' ? 'EUR' : '')).toUpperCase()
      const period = { merchantId, mode, from, to, currency, timeZone: merchant.brand.timeZone }
      const file = await exportPeriod(db, format, period, { by: byCommandLine(), now: new Date() })
      if (output === undefined) for await (const piece of file.pieces) standard().stdout.write(piece)
      else {
        await pipeline(Readable.from(file.pieces), createWriteStream(output))
        printLine(`Written to ${output}`)
      }
    },
    { statementTimeoutMs: longMs },
  )
}

export async function matchBankStatement(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...common, json: { type: 'boolean' } }, 1)
  const [path] = parsed.words
  if (path === undefined) throw new UsageMistake('Say which file: florin payouts match FILE')
  const file = await stat(path).catch(() => undefined)
  if (!file?.isFile()) throw new UsageMistake(`There is no file "${path}"`)
  const mode = modeOption(parsed)
  await withDatabase(config, async (db) => {
    const scope = { merchantId: await whose(db, parsed), mode }
    const statement = { pieces: createReadStream(path), currency: text(parsed, 'currency')?.toUpperCase() }
    const result = await matchStatement(db, scope, statement, byCommandLine())
    const left = await listLeftOver(db, scope, leftShown)
    if (flag(parsed, 'json'))
      return print(
        JSON.stringify({
          entries: result.entryCount,
          known: result.knownCount,
          unread: result.reading.unread,
          unread_count: result.reading.unreadCount,
          day_first_assumed: result.reading.isDayFirstAssumed,
          matched: result.matches.map((one) => ({
            payout: one.payoutId,
            by: one.by,
            booked_on: one.entry.bookedOn,
          })),
          left_at_bank: result.leftovers.map(({ entry, why, payoutId }) => ({
            booked_on: entry.bookedOn,
            amount_minor: String(entry.amountMinor),
            currency: entry.currency,
            why,
            payout: payoutId ?? null,
          })),
          left_at_networks: left.payouts.map(({ id }) => id),
        }),
      )
    print(
      `${counted(result.entryCount, 'entry', 'entries')}: ${counted(result.matches.length, 'payout', 'payouts')} found, ${result.knownCount} found before, ${result.leftovers.length} left over`,
    )
    printUnread(result.reading)
    printTable(
      ['BOOKED', 'AMOUNT', '', 'AT THE BANK, BUT NO PAYOUT', 'TEXT'],
      result.leftovers
        .slice(0, leftShown)
        .map((one) => [
          one.entry.bookedOn,
          formatAmount(one.entry.amountMinor, one.entry.currency),
          one.entry.currency,
          describeLeftover(one),
          visible(one.entry.texts.join(' ').slice(0, 60)),
        ]),
      { right: ['AMOUNT'], empty: 'Every entry that names a network is a payout.' },
    )
    printTable(
      ['EXPECTED', 'AMOUNT', '', 'ARRIVED, BUT NOT SEEN AT THE BANK', 'REFERENCE'],
      left.payouts.map((one) => [
        one.day,
        formatAmount(one.amount_minor, one.currency),
        one.currency,
        one.id,
        visible(one.bank_reference ?? one.reference),
      ]),
      { right: ['AMOUNT'], empty: 'Every payout that arrived was seen at the bank.' },
    )
  })
}

function printUnread(reading: Reading): void {
  const warning = describeReading(reading)
  if (warning !== undefined) print(warning)
  if (reading.unread.length === 0) return
  printTable(
    ['ROW', 'WHY IT WAS NOT READ'],
    reading.unread.map(({ place, why }) => [place, visible(why)]),
  )
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

export async function accountsOfBookkeeping(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { merchant: option, json: { type: 'boolean' } }, 40)
  const pairs = parsed.words.map((word) => /^([a-z_-]+)=(.*)$/.exec(word) ?? word)
  const odd = pairs.find((pair) => typeof pair === 'string')
  if (odd !== undefined) throw new UsageMistake(`"${odd}" is not of the form NAME=NUMBER`, { seeHelp: true })
  const typed = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
  await withDatabase(config, async (db) => {
    const merchantId = await whose(db, parsed)
    const networks = await networksToBook(db, merchantId)
    const known = settingNames(networks)
    const unknown = Object.keys(typed).find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw new UsageMistake(`"${unknown}" is no setting. There are: ${known.join(', ')}`)
    if (pairs.length > 0) await changeBookkeeping(db, merchantId, typed, networks, byCommandLine())
    const facts = factsOf(await readBookkeeping(db, merchantId), networks)
    if (flag(parsed, 'json')) return print(JSON.stringify(facts))
    printFacts(Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, value || '-'])))
  })
}

function factsOf(settings: Bookkeeping, networks: readonly string[]): Record<string, string> {
  const { accounts, clearing } = settings
  return {
    sales: accounts.sales ?? '',
    fees: accounts.fees ?? '',
    fee_tax: accounts.fee_tax ?? '',
    other: accounts.other ?? '',
    bank: accounts.bank ?? '',
    ...Object.fromEntries(networks.map((network) => [clearingField(network), clearing[network] ?? ''])),
    consultant_number: String(settings.consultantNumber ?? ''),
    client_number: String(settings.clientNumber ?? ''),
    fiscal_year_month: String(settings.fiscalYearMonth),
    account_length: String(settings.accountLength),
    chart: settings.chart,
  }
}
