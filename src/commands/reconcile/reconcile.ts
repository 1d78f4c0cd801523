import type { Config } from '../../config.ts'
import type { HostedConnector, Money, Movement } from '../../connectors/hosted.ts'
import { NoAnswer } from '../../connectors/no-answer.ts'
import { Refusal } from '../../errors/refusals.ts'
import { readAccounts } from '../../merchants/accounts/read-accounts.ts'
import { listAllAccounts } from '../../merchants/accounts/list-accounts.ts'
import type { StoredAccount } from '../../merchants/accounts/stored-accounts.ts'
import { formatAmount } from '../../money/money.ts'
import {
  compareBooks,
  type Compared,
  type Difference,
  type OurCharge,
} from '../../payments/books/compare-books.ts'
import { findKnownCharges, readAllCharges } from '../../payments/books/read-charges.ts'
import {
  compareRefunds,
  type OurRefund,
  type RefundsCompared,
  type RefundDifference,
} from '../../refunds/books/compare-refunds.ts'
import { readAllRefunds } from '../../refunds/books/read-refunds.ts'
import { identityOf } from '../../connectors/connect/connect-account.ts'
import type { Keeping } from '../connector/keeping.ts'
import { findNetwork, withNetworks, type Networks } from '../connector/networks.ts'
import { sayOwner } from '../connector/say.ts'
import { withSecrets } from '../reach/with-database.ts'
import { flag, readArguments, UsageMistake } from '../terminal/arguments.ts'
import { print, printTable, say } from '../terminal/print.ts'
import { minuteOf, timeOption } from '../terminal/times.ts'
import { standard } from '../terminal/standard.ts'

export const reconcileHelp = `florin reconcile --since TIME [ACCOUNT_ID] [--json]

  Compares what networks booked with what Florin recorded, of all accounts or of
  one, and prints a line for each difference: paid there only, paid here only,
  amounts differ, and the same of refunds. Ends with 0 when there is none and
  with 1 when there are some.

  --since   a date or time such as 2026-11-01, or how long ago: 24h, 7d`

const dayMs = 24 * 3_600_000
/** Around --since: what was started before it may be charged after it, and booked before. */
const marginMs = 7 * dayMs
const readLimitMs = 30 * 60_000

type Both = Omit<Compared, 'differences'> & {
  readonly differences: readonly (Difference | RefundDifference)[]
  readonly refundsAlike: number
}
type Found = Both & { readonly account: StoredAccount }

export async function reconcile(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { since: { type: 'string' }, json: { type: 'boolean' } }, 1)
  const asked = timeOption(parsed, 'since')
  if (asked === undefined) throw new UsageMistake('--since is required, such as --since 2026-11-01')
  const since = new Date(asked)
  if (since.getTime() > Date.now()) throw new UsageMistake('--since must not be in the future')
  const [id] = parsed.words
  const found = await withNetworks(config, async (networks) =>
    withSecrets(config, async (keeping) => compareAll(keeping, networks, since, id)),
  )
  const differences = found.flatMap((one) =>
    one.differences.map((each) => ({ ...each, account: one.account })),
  )
  if (differences.length > 0) standard().exitCode = 1
  if (flag(parsed, 'json')) return print(JSON.stringify(differences.map(asJson)))
  for (const one of found) say(summary(one))
  printTable(['WHAT', 'ACCOUNT_ID', 'WHEN', 'THERE', 'HERE', 'REFERENCE', 'TX_REF'], differences.map(asRow), {
    right: ['THERE', 'HERE'],
    empty: 'No differences.',
  })
}

/**
 * An account at the network may be several of ours: two merchants that share it, or one that was removed and added again.
 * Its bookings are read once, and compared with what went through all of them.
 */
async function compareAll(
  keeping: Keeping,
  networks: Networks,
  since: Date,
  id: string | undefined,
): Promise<Found[]> {
  const { db, secrets } = keeping
  const listed = await listAllAccounts(db)
  const same = Map.groupBy(listed, ({ connector, label }) => `${connector} ${identityOf(label)}`)
  const asked = [...same.values()].filter((accounts) =>
    accounts.some((account) =>
      id === undefined
        ? account.removed_at === null || new Date(account.removed_at) >= since
        : account.id === id,
    ),
  )
  if (id !== undefined && asked.length === 0) throw new Refusal('not_found', 'Account not found')
  const found: Found[] = []
  for (const accounts of asked) {
    const newest = accounts.find(({ removed_at }) => removed_at === null) ?? accounts[0]
    const account =
      newest && (await readAccounts(db, secrets, newest.merchant)).find((one) => one.id === newest.id)
    if (!account) continue
    const network = findNetwork(networks, account.connector)
    const ids = accounts.map((one) => one.id)
    found.push({ account, ...(await compareOne(keeping, network, account, ids, since)) })
  }
  return found
}

async function compareOne(
  { db }: Keeping,
  network: HostedConnector,
  account: StoredAccount,
  ids: readonly string[],
  since: Date,
): Promise<Both> {
  const from = new Date(since.getTime() - marginMs)
  const movements = await readMovements(network, account, from)
  const ours: OurCharge[] = []
  for (const id of ids) for await (const charge of readAllCharges(db, id, from)) ours.push(charge)
  const comparing = { since, now: new Date(), booksWithinMs: (network.booksWithinDays ?? 1) * dayMs }
  const charges = compareBooks(ours, movements, { ...comparing, marksCharges: network.marksCharges === true })
  const refunds = await compareBack(db, { ids, from, ours, movements, comparing })
  const differences = [...charges.differences, ...refunds.differences]
  differences.sort((one, other) => one.at.getTime() - other.at.getTime())
  return { alike: charges.alike, foreign: charges.foreign, refundsAlike: refunds.alike, differences }
}

async function compareBack(
  db: Keeping['db'],
  read: {
    readonly ids: readonly string[]
    readonly from: Date
    readonly ours: readonly OurCharge[]
    readonly movements: readonly Movement[]
    readonly comparing: { readonly since: Date; readonly now: Date; readonly booksWithinMs: number }
  },
): Promise<RefundsCompared> {
  const { ids, from, ours, movements, comparing } = read
  const refunds: OurRefund[] = ours.flatMap(surplusSentBack)
  for await (const refund of readAllRefunds(db, ids, from)) refunds.push(refund)
  const names = movements.flatMap(({ kind, chargeReference }) =>
    kind === 'refund' && chargeReference !== undefined ? [chargeReference] : [],
  )
  const known = await findKnownCharges(db, ids, [...new Set(names)])
  return compareRefunds(refunds, movements, { ...comparing, findCharge: (name) => known.get(name) })
}

/** A second charge that goes back by itself. */
function surplusSentBack({ merchantId, txRef, sentBack, charged, at }: OurCharge): OurRefund[] {
  if (!sentBack || !charged) return []
  const end = sentBack.isDone ? 'done' : 'open'
  return [{ merchantId, txRef, names: sentBack.names, end, money: charged, at }]
}

async function readMovements(
  network: HostedConnector,
  account: StoredAccount,
  from: Date,
): Promise<Movement[]> {
  if (!network.movements) throw new Refusal('unavailable', `${network.label} does not tell what it booked`)
  const movements: Movement[] = []
  try {
    for await (const movement of network.movements(account, from, AbortSignal.timeout(readLimitMs)))
      movements.push(movement)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new Refusal('unavailable', `${error.message}. Nothing was compared.`)
  }
  return movements
}

function summary({ account, alike, refundsAlike, differences, foreign }: Found): string {
  const others = foreign === 0 ? '' : `; ${foreign} charges are of other programs`
  const sandbox = account.sandbox ? ', sandbox' : ''
  const refunds =
    refundsAlike === 0 ? '' : ` and ${refundsAlike} ${refundsAlike === 1 ? 'refund' : 'refunds'}`
  const counted = `${alike} ${alike === 1 ? 'charge' : 'charges'}${refunds} alike`
  const differ = `${differences.length} ${differences.length === 1 ? 'differs' : 'differ'}`
  return `${account.id} of ${sayOwner(account.owner)}, ${account.label}${sandbox}: ${counted}, ${differ}${others}`
}

const words = {
  paid_there_only: 'paid there only',
  paid_here_only: 'paid here only',
  amounts_differ: 'amounts differ',
  refunded_there_only: 'refunded there only',
  refunded_here_only: 'refunded here only',
  refunds_differ: 'refunds differ',
} as const

type Told = (Difference | RefundDifference) & { readonly account: StoredAccount }

function asRow({ kind, account, at, there, here, reference, txRef }: Told): string[] {
  return [
    words[kind],
    account.id,
    minuteOf(at.toISOString()),
    shown(there),
    shown(here),
    reference,
    txRef ?? '-',
  ]
}

function shown(money: Money | undefined): string {
  return money ? `${formatAmount(money.amountMinor, money.currency)} ${money.currency}` : '-'
}

function asJson({ kind, account, at, there, here, reference, merchantId, txRef }: Told): object {
  const plain = (money: Money | undefined): object | null =>
    money ? { amount_minor: Number(money.amountMinor), currency: money.currency } : null
  return {
    kind,
    account: account.id,
    connector: account.connector,
    sandbox: account.sandbox,
    merchant: merchantId ?? null,
    tx_ref: txRef ?? null,
    at: at.toISOString(),
    there: plain(there),
    here: plain(here),
    reference,
  }
}
