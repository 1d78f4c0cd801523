import { changed, recordAct, type Actor, type Facts } from '../../../core/audit/audit.ts'
import { inTransaction, type Database, type Queryable } from '../../../platform/database/database.ts'
import { Fields } from '../../../platform/input/fields.ts'
import {
  findBookkeeping,
  listAccounts,
  listConnectors,
  lockBookkeeping,
  setAccount,
  setBookkeeping,
  type BookkeepingRow,
} from './bookkeeping-store.ts'

// The account numbers that exports book to. They are the same in test and live mode, as there is one set of books.

export const purposes = ['sales', 'fees', 'fee_tax', 'other', 'bank'] as const
export type Purpose = (typeof purposes)[number]

export type Bookkeeping = {
  readonly consultantNumber: number | undefined
  readonly clientNumber: number | undefined
  /** The month in which a fiscal year begins. */
  readonly fiscalYearMonth: number
  readonly accountLength: number
  readonly chart: string
  /** What is not set is missing. */
  readonly accounts: Readonly<Partial<Record<Purpose, string>>>
  /** By connector. */
  readonly clearing: Readonly<Record<string, string>>
}

const atFirst: BookkeepingRow = {
  consultant_number: null,
  client_number: null,
  fiscal_year_month: 1,
  account_length: 4,
  chart: '',
}

export async function readBookkeeping(db: Queryable, merchantId: number): Promise<Bookkeeping> {
  const row = (await findBookkeeping(db, merchantId)) ?? atFirst
  const accounts = await listAccounts(db, merchantId)
  const clearing = accounts.filter(({ purpose }) => purpose === 'clearing')
  return {
    consultantNumber: row.consultant_number ?? undefined,
    clientNumber: row.client_number ?? undefined,
    fiscalYearMonth: row.fiscal_year_month,
    accountLength: row.account_length,
    chart: row.chart,
    accounts: Object.fromEntries(
      accounts.flatMap(({ purpose, account }) => (purpose === 'clearing' ? [] : [[purpose, account]])),
    ),
    clearing: Object.fromEntries(clearing.map(({ connector, account }) => [connector, account])),
  }
}

const numberFields = ['consultant_number', 'client_number', 'fiscal_year_month', 'account_length'] as const
const bounds: Readonly<Record<(typeof numberFields)[number], readonly [number, number]>> = {
  consultant_number: [1_001, 9_999_999],
  client_number: [1, 99_999],
  fiscal_year_month: [1, 12],
  account_length: [4, 8],
}

/** The name of the setting that holds a network's clearing account. */
export function clearingField(connector: string): string {
  return `clearing_${connector}`
}

/** The settings that a file for DATEV lacks, by the names of their fields. */
export function missingForDatev(
  { accounts, clearing, consultantNumber, clientNumber }: Bookkeeping,
  connectors: Iterable<string>,
  needsOther: boolean,
): string[] {
  return [
    ...(consultantNumber === undefined ? ['consultant_number'] : []),
    ...(clientNumber === undefined ? ['client_number'] : []),
    ...(['sales', 'fees', ...(needsOther ? (['other'] as const) : [])] as const).filter(
      (purpose) => accounts[purpose] === undefined,
    ),
    ...[...connectors].filter((one) => clearing[one] === undefined).map(clearingField),
  ]
}

/** The networks that a merchant needs clearing accounts for: those that told of payouts, in either mode. */
export async function networksToBook(db: Queryable, merchantId: number): Promise<string[]> {
  const [live, test] = [
    await listConnectors(db, merchantId, 'live'),
    await listConnectors(db, merchantId, 'test'),
  ]
  return [...new Set([...live, ...test])]
}

/** Every setting by the name that `changeBookkeeping` takes. */
export function settingNames(networks: readonly string[]): string[] {
  return [...purposes, ...networks.map(clearingField), ...numberFields, 'chart']
}

/** Input by name; missing names stay as they are, and an empty text removes a setting. */
export type TypedBookkeeping = Readonly<Record<string, string | undefined>>

export async function changeBookkeeping(
  db: Database,
  merchantId: number,
  typed: TypedBookkeeping,
  connectors: readonly string[],
  by: Actor,
): Promise<void> {
  const set = readTyped(typed, connectors)
  await inTransaction(db, async (tx) => {
    await lockBookkeeping(tx, merchantId)
    const before = await readBookkeeping(tx, merchantId)
    const row = (await findBookkeeping(tx, merchantId)) ?? atFirst
    await setBookkeeping(tx, merchantId, { ...row, ...set.row })
    for (const account of set.accounts) await setAccount(tx, merchantId, account)
    const difference = changed(auditFacts(before), auditFacts(await readBookkeeping(tx, merchantId)))
    if (difference)
      await recordAct(tx, merchantId, by, {
        action: 'bookkeeping.changed',
        subject: String(merchantId),
        ...difference,
      })
  })
}

function readTyped(typed: TypedBookkeeping, connectors: readonly string[]) {
  const fields = new Fields(typed)
  const row: Record<string, number | string | null> = {}
  for (const name of numberFields) {
    const text = typed[name]?.trim()
    if (text === undefined) continue
    const [least, most] = bounds[name]
    const mayBeEmpty = name === 'consultant_number' || name === 'client_number'
    if (text === '' && mayBeEmpty) row[name] = null
    else if (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most) row[name] = Number(text)
    else fields.fail(name, `must be a whole number from ${least} to ${most}`)
  }
  const chart = typed['chart']?.trim()
  if (chart !== undefined) {
    if (['', '03', '04'].includes(chart)) row['chart'] = chart
    else fields.fail('chart', 'must be 03 or 04, or empty')
  }
  const wanted = [
    ...purposes.map((purpose) => ({ field: purpose as string, purpose: purpose as string, connector: '' })),
    ...connectors.map((connector) => ({ field: clearingField(connector), purpose: 'clearing', connector })),
  ]
  const accounts = wanted.flatMap(({ field, purpose, connector }) => {
    const account = typed[field]?.trim()
    if (account === undefined) return []
    if (account !== '' && !(/^\d{1,9}$/.test(account) && /[1-9]/.test(account)))
      fields.fail(field, 'must be the number of an account, such as 1361')
    return [{ purpose, connector, account }]
  })
  fields.check()
  return { row, accounts }
}

function auditFacts({ accounts, clearing, ...rest }: Bookkeeping): Facts {
  return {
    consultant_number: rest.consultantNumber ?? null,
    client_number: rest.clientNumber ?? null,
    fiscal_year_month: rest.fiscalYearMonth,
    account_length: rest.accountLength,
    chart: rest.chart,
    ...Object.fromEntries(purposes.map((purpose) => [purpose, accounts[purpose] ?? null])),
    clearing: Object.entries(clearing).map(([connector, account]) => `${connector} ${account}`),
  }
}
