import type { Lists } from '../../../../cli/terminal/command.ts'
import type { Config } from '../../../../platform/settings/config.ts'
import type { HostedConnector, Money, Movement } from '../../../../core/networks/hosted.ts'
import { NoAnswer } from '../../../../core/networks/no-answer.ts'
import { Refusal } from '../../../../platform/errors/refusals.ts'
import { readAccounts } from '../../../../core/merchants/accounts/read-accounts.ts'
import { listAllAccounts } from '../../../../core/merchants/accounts/list-accounts.ts'
import type { StoredAccount } from '../../../../core/merchants/accounts/stored-accounts.ts'
import { formatAmount } from '../../../../platform/money/money.ts'
import {
  compareCharges,
  type Compared,
  type Difference,
  type OurCharge,
} from '../../../../core/payments/reconcile/compare-charges.ts'
import { findKnownCharges, readAllCharges } from '../../../../core/payments/reconcile/read-charges.ts'
import {
  compareRefunds,
  type OurRefund,
  type RefundsCompared,
  type RefundDifference,
} from '../../../refunds/reconcile/compare-refunds.ts'
import { readAllRefunds } from '../../../refunds/reconcile/read-refunds.ts'
import type { SecretStore } from '../../../../cli/connector/keeping.ts'
import { findNetwork, withNetworks, type Networks } from '../../../../cli/connector/networks.ts'
import { describeOwner } from '../../../../cli/connector/describe-owner.ts'
import { withSecrets } from '../../../../cli/reach/with-database.ts'
import { flag, readArguments, UsageMistake } from '../../../../cli/terminal/arguments.ts'
import { print, printTable, printLine } from '../../../../cli/terminal/print.ts'
import { minuteOf, timeOption } from '../../../../cli/terminal/times.ts'
import { standard } from '../../../../cli/terminal/standard.ts'
import { checkBalances, describeBalances, type CheckedBalance, type Ledgers } from './balances.ts'
import { chooseAccounts } from './choose-accounts.ts'

export const reconcileHelp = `florin reconcile --since TIME [ACCOUNT_ID] [--json]

  Compares the networks' records with Florin's, for all accounts or for one, and
  prints a line for each difference: paid there only, paid here only, amounts
  differ, and the same for refunds. Then copies new bookings of payouts and
  compares the balance of each merchant's account, as of now: balance differs.
  Exits with 0 if nothing differs, with 1 if something does and with 69 if an
  account could not be read. Removed accounts are included while their payments
  may still finish.

  --since   a date or time such as 2026-11-01, or how long ago: 24h, 7d`

const dayMs = 24 * 3_600_000
/** Padding around --since: a payment started before it may be charged after it, and booked before. */
const marginMs = 7 * dayMs
const readLimitMs = 30 * 60_000

type Both = Omit<Compared, 'differences'> & {
  readonly differences: readonly (Difference | RefundDifference)[]
  readonly refundsAlike: number
}
type AccountDifferences = Both & {
  readonly account: StoredAccount
  readonly network: string
  readonly ledgers: Ledgers
}
type Unread = { readonly account: StoredAccount; readonly problem: string }

export async function reconcile(config: Config, args: string[], lists: Lists): Promise<void> {
  const parsed = readArguments(args, { since: { type: 'string' }, json: { type: 'boolean' } }, 1)
  const asked = timeOption(parsed, 'since')
  if (asked === undefined) throw new UsageMistake('--since is required, such as --since 2026-11-01')
  const since = new Date(asked)
  if (since.getTime() > Date.now()) throw new UsageMistake('--since must not be in the future')
  const [id] = parsed.words
  const results = await withNetworks(config, lists, async (networks) =>
    withSecrets(config, async (keeping) => compareAll(keeping, networks, since, id)),
  )
  const found = results.filter((one): one is AccountDifferences => !('problem' in one))
  const differences: Printed[] = found.flatMap((one) => [
    ...one.differences.map((each) => ({ ...each, account: one.account })),
    ...one.ledgers.balances.filter(({ kind }) => kind === 'balance_differs').map(asDifference),
  ])
  if (differences.length > 0) standard().exitCode = 1
  if (flag(parsed, 'json')) print(JSON.stringify(differences.map(asJson)))
  else {
    for (const one of found) printLine(summary(one))
    printTable(
      ['WHAT', 'ACCOUNT_ID', 'WHEN', 'THERE', 'HERE', 'REFERENCE', 'TX_REF'],
      differences.map(asRow),
      { right: ['THERE', 'HERE'], empty: found.length > 0 ? 'No differences.' : 'Nothing was compared.' },
    )
  }
  const unread = results.filter((one): one is Unread => 'problem' in one)
  for (const one of unread) printLine(describeUnread(one))
  const ledgers = found.flatMap((one) => one.ledgers.unread)
  for (const { account, problem } of ledgers)
    printLine(`The balance of ${account.id}, ${account.label}, was not compared: ${problem}`)
  // A removed account's key may have been revoked with it, and there is nothing to be done about that.
  const failing = unread.filter(({ account }) => !account.isRemoved || account.id === id).length
  const failed = failing + new Set(ledgers.map(({ account }) => account.label)).size
  if (failed > 0)
    throw new Refusal('unavailable', `${failed} of ${results.length} accounts could not be read`)
}

/** An account that can't be read does not keep the others from being compared. */
async function compareAll(
  keeping: SecretStore,
  networks: Networks,
  since: Date,
  id: string | undefined,
): Promise<(AccountDifferences | Unread)[]> {
  const { db, secrets } = keeping
  const from = new Date(since.getTime() - marginMs)
  const chosen = chooseAccounts(await listAllAccounts(db), { from, id })
  if (id !== undefined && chosen.length === 0) throw new Refusal('not_found', 'Account not found')
  const results: (AccountDifferences | Unread)[] = []
  for (const { readWith, ids, withLedger } of chosen) {
    const account = (await readAccounts(db, secrets, readWith.merchant)).find(
      ({ id: one }) => one === readWith.id,
    )
    if (!account) continue
    const network = findNetwork(networks, account.connector)
    const movements = await readMovements(network, account, from)
    if (typeof movements === 'string') {
      results.push({ account, problem: movements })
      continue
    }
    const compared = await compareOne(keeping, network, ids, { since, from, movements })
    const ledgers = await checkBalances(keeping, networks, network, withLedger)
    results.push({ account, network: network.label, ...compared, ledgers })
  }
  return results
}

async function compareOne(
  { db }: SecretStore,
  network: HostedConnector,
  ids: readonly string[],
  read: { readonly since: Date; readonly from: Date; readonly movements: readonly Movement[] },
): Promise<Both> {
  const { since, from, movements } = read
  const ours: OurCharge[] = []
  for (const id of ids) for await (const charge of readAllCharges(db, id, from)) ours.push(charge)
  const comparing = { since, now: new Date(), booksWithinMs: (network.booksWithinDays ?? 1) * dayMs }
  const charges = compareCharges(ours, movements, {
    ...comparing,
    marksCharges: network.marksCharges === true,
  })
  const refunds = await compareBack(db, { ids, from, ours, movements, comparing })
  const differences = [...charges.differences, ...refunds.differences]
  differences.sort((one, other) => one.at.getTime() - other.at.getTime())
  return { alike: charges.alike, foreign: charges.foreign, refundsAlike: refunds.alike, differences }
}

async function compareBack(
  db: SecretStore['db'],
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

/** What the network booked, or why it doesn't answer. */
async function readMovements(
  network: HostedConnector,
  account: StoredAccount,
  from: Date,
): Promise<Movement[] | string> {
  if (!network.movements) return `${network.label} does not provide its records`
  const movements: Movement[] = []
  try {
    for await (const movement of network.movements(account, from, AbortSignal.timeout(readLimitMs)))
      movements.push(movement)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return error.message
  }
  return movements
}

function summary(one: AccountDifferences): string {
  const { account, alike, refundsAlike, differences, foreign } = one
  const others = foreign === 0 ? '' : `; ${foreign} charges belong to other programs`
  const sandbox = account.sandbox ? ', sandbox' : ''
  const refunds =
    refundsAlike === 0 ? '' : ` and ${refundsAlike} ${refundsAlike === 1 ? 'refund' : 'refunds'}`
  const counted = `${alike} ${alike === 1 ? 'charge' : 'charges'}${refunds} alike`
  const differ = `${differences.length} ${differences.length === 1 ? 'differs' : 'differ'}`
  const balances = describeBalances(one.ledgers, one.network)
  return `${account.id} of ${describeOwner(account.owner)}, ${account.label}${sandbox}: ${counted}, ${differ}${others}${balances && `; ${balances}`}`
}

function describeUnread({ account, problem }: Unread): string {
  const removed = account.isRemoved ? ', which was removed' : ''
  return `${account.id} of ${describeOwner(account.owner)}, ${account.label}${removed}, was not compared: ${problem}`
}

const words = {
  paid_there_only: 'paid there only',
  paid_here_only: 'paid here only',
  amounts_differ: 'amounts differ',
  refunded_there_only: 'refunded there only',
  refunded_here_only: 'refunded here only',
  refunds_differ: 'refunds differ',
  balance_differs: 'balance differs',
} as const

type Printed = Omit<Difference, 'kind' | 'reference'> & {
  readonly kind: keyof typeof words
  /** A balance has none. */
  readonly reference?: string
  readonly account: Pick<StoredAccount, 'id' | 'connector' | 'sandbox'>
}

function asDifference({ account, at, currency, thereMinor, hereMinor }: CheckedBalance): Printed {
  const money = (amountMinor: bigint): Money => ({ amountMinor, currency })
  const merchantId = account.merchant === 'installation' ? undefined : account.merchant
  return {
    kind: 'balance_differs',
    account,
    at,
    there: money(thereMinor),
    here: money(hereMinor),
    ...(merchantId !== undefined && { merchantId }),
  }
}

function asRow({ kind, account, at, there, here, reference, txRef }: Printed): string[] {
  const names = [reference ?? '-', txRef ?? '-']
  return [words[kind], account.id, minuteOf(at.toISOString()), shown(there), shown(here), ...names]
}

function shown(money: Money | undefined): string {
  return money ? `${formatAmount(money.amountMinor, money.currency)} ${money.currency}` : '-'
}

function asJson({ kind, account, at, there, here, reference, merchantId, txRef }: Printed): object {
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
    reference: reference ?? null,
  }
}
