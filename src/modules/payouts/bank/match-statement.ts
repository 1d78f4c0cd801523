import { recordAct, type Actor } from '../../../core/audit/audit.ts'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import { lockBookkeeping } from '../bookkeeping/bookkeeping-store.ts'
import {
  findEntries,
  hasEntries,
  listEntriesOf,
  listLeftEntries,
  listSentPayouts,
  listUnseenPayouts,
  upsertEntry,
  type EntryRow,
  type Scope,
  type SentPayout,
} from './bank-store.ts'
import { UnreadableStatement, type BankEntry } from './bank-entry.ts'
import {
  makeFinder,
  matchEntries,
  networksIn,
  type ExpectedPayout,
  type Leftover,
  type Match,
} from './match.ts'
import { readStatement } from './read-statement.ts'
import { makeReading, type Reading } from './reading.ts'

// Reads a bank's file, and marks each payout in it as seen at the bank. Only entries that are payouts, or name a
// network, are stored: the rest of a statement isn't our business.

export type { EntryRow, SentPayout } from './bank-store.ts'

export type StatementResult = {
  /** What was not read of the file. */
  readonly reading: Reading
  /** How many entries the file has. */
  readonly entryCount: number
  /** Entries from an earlier file that are matched. */
  readonly knownCount: number
  readonly matches: readonly Match[]
  readonly leftovers: readonly Leftover[]
  /** Every payout that the file could name, by its id. */
  readonly payouts: ReadonlyMap<string, SentPayout>
}

/** An entry that is no payout, and why as of now. */
export type LeftEntry = EntryRow & {
  readonly why?: Leftover['why'] | undefined
  /** The payout that it names. */
  readonly payout?: SentPayout | undefined
}

/** More than a bank has for one merchant in years. */
const candidatesMax = 50_000
const leftMax = 5_000

/** `currency`: of a CSV that names none. Refuses a file that can't be read, and stores nothing of it then. */
export async function matchStatement(
  db: Database,
  scope: Scope,
  file: {
    readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
    readonly currency?: string | undefined
  },
  by: Actor,
): Promise<StatementResult> {
  const read = await readCandidates(await listSentPayouts(db, scope), file)
  return inTransaction(db, async (tx) => {
    // One file of a merchant at a time: two at once would find the same payouts.
    await lockBookkeeping(tx, scope.merchantId)
    const payouts = await listSentPayouts(tx, scope)
    const stored = new Map(
      (await findEntries(tx, scope, read.candidates)).map((row) => [nameOf(row.account, row.entry), row]),
    )
    const isDone = (entry: BankEntry): boolean =>
      (stored.get(nameOf(entry.account, entry.key))?.payout_id ?? null) !== null
    const left = (await listLeftEntries(tx, scope, leftMax)).map(entryOf)
    const open = new Map(
      [...left, ...read.candidates].map((entry) => [nameOf(entry.account, entry.key), entry]),
    )
    const seen = new Set(payouts.filter(({ is_seen }) => is_seen).map(({ id }) => id))
    const matching = matchEntries(
      [...open.values()].filter((entry) => !isDone(entry)),
      payouts.map(expectedOf),
      seen,
    )
    for (const { entry, payoutId, by: matchedBy } of matching.matches)
      await upsertEntry(tx, scope, rowOf(entry, payoutId, matchedBy))
    for (const { entry } of matching.leftovers) await upsertEntry(tx, scope, rowOf(entry, null, null))
    const { matches, leftovers } = matching
    const knownCount = read.candidates.filter(isDone).length
    await recordAct(tx, scope.merchantId, by, {
      action: 'bank_statement.matched',
      subject: String(scope.merchantId),
      after: {
        mode: scope.mode,
        entries: read.entryCount,
        matched: matches.length,
        left_over: leftovers.length,
      },
    })
    const { reading, entryCount } = read
    return { reading, entryCount, knownCount, matches, leftovers, payouts: byId(payouts) }
  })
}

export type LeftOver = {
  /** A statement was given before. */
  readonly isGiven: boolean
  readonly payouts: readonly SentPayout[]
  readonly entries: readonly LeftEntry[]
}

/** Payouts the bank hasn't shown yet, and bank entries without a payout we know. */
export async function listLeftOver(db: Database, scope: Scope, max: number): Promise<LeftOver> {
  const [isGiven, payouts] = [await hasEntries(db, scope), await listUnseenPayouts(db, scope, max)]
  return { isGiven, payouts, entries: await explain(db, scope, await listLeftEntries(db, scope, max)) }
}

async function explain(db: Database, scope: Scope, rows: readonly EntryRow[]): Promise<LeftEntry[]> {
  if (rows.length === 0) return []
  const sent = await listSentPayouts(db, scope)
  const seen = new Set(sent.filter(({ is_seen }) => is_seen).map(({ id }) => id))
  const { leftovers } = matchEntries(rows.map(entryOf), sent.map(expectedOf), seen)
  const known = new Map(leftovers.map((one) => [nameOf(one.entry.account, one.entry.key), one]))
  const payouts = byId(sent)
  return rows.map((row) => {
    const found = known.get(nameOf(row.account, row.entry))
    return { ...row, why: found?.why, payout: payouts.get(found?.payoutId ?? '') }
  })
}

function byId(payouts: readonly SentPayout[]): ReadonlyMap<string, SentPayout> {
  return new Map(payouts.map((payout) => [payout.id, payout]))
}

/** The entries that statements had for a payout: its arrival, and what the bank sent back. */
export async function bankEntriesOf(
  db: Database,
  { merchant_id, id }: { readonly merchant_id: number; readonly id: string },
): Promise<readonly EntryRow[]> {
  return listEntriesOf(db, merchant_id, id)
}

async function readCandidates(
  payouts: readonly SentPayout[],
  file: Parameters<typeof matchStatement>[2],
): Promise<{ candidates: BankEntry[]; entryCount: number; reading: Reading }> {
  const expected = payouts.map(expectedOf)
  const find = makeFinder(expected)
  const connectors = [...new Set(expected.map(({ connector }) => connector))]
  const amounts = new Set(expected.map(({ amountMinor, currency }) => `${amountMinor} ${currency}`))
  const candidates: BankEntry[] = []
  const reading = makeReading()
  let entryCount = 0
  try {
    for await (const entry of readStatement(file.pieces, file.currency, reading)) {
      entryCount += 1
      const mayBeOne =
        amounts.has(`${entry.amountMinor} ${entry.currency}`) ||
        networksIn(entry, connectors).length > 0 ||
        find(entry.texts).length > 0 // No test: more candidates only need more memory
      if (mayBeOne) candidates.push(entry)
      if (candidates.length > candidatesMax)
        throw new UnreadableStatement('The file has too many entries for one: give it month by month')
    }
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error
    throw brokenRule('file', error.message)
  }
  return { candidates, entryCount, reading }
}

function expectedOf(payout: SentPayout): ExpectedPayout {
  const { id, connector, amount_minor: amountMinor, currency, day, reference, bank_reference } = payout
  return { id, connector, amountMinor, currency, day, references: [reference, bank_reference ?? ''] }
}

function nameOf(account: string, key: string): string {
  return `${account} ${key}`
}

const descriptionMax = 500

function rowOf(entry: BankEntry, payout_id: string | null, matched_by: EntryRow['matched_by']): EntryRow {
  const { account, key, bookedOn, amountMinor, currency, texts } = entry
  const description = texts.join(' ').replaceAll('\0', '').toWellFormed().slice(0, descriptionMax)
  return {
    account,
    entry: key,
    booked_on: bookedOn,
    amount_minor: amountMinor,
    currency,
    description,
    payout_id,
    matched_by,
  }
}

function entryOf(row: EntryRow): BankEntry {
  const { account, entry: key, booked_on: bookedOn, amount_minor: amountMinor, currency, description } = row
  return { account, key, bookedOn, amountMinor, currency, texts: [description] }
}
