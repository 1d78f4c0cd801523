import type { Config } from '../../../platform/settings/config.ts'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { recordAct } from '../../../core/audit/audit.ts'
import { everyMerchant } from '../../../core/merchants/list.ts'
import { eraseCustomer, exportCustomer, type Rooms } from '../../../core/privacy/customers.ts'
import type { Lists } from '../../../cli/terminal/command.ts'
import { byCommandLine } from '../../../cli/reach/who.ts'
import { whose } from '../../../cli/reach/whose.ts'
import { withDatabase } from '../../../cli/reach/with-database.ts'
import { flag, readArguments, text, UsageMistake, type Parsed } from '../../../cli/terminal/arguments.ts'
import { confirmed } from '../../../cli/terminal/confirmed.ts'
import { print, printLine } from '../../../cli/terminal/print.ts'

export const customerHelp = `florin customer export --email ADDRESS [--merchant NUMBER]
florin customer erase --email ADDRESS [--merchant NUMBER] [--yes] [--json]

  For customers who ask for their data or for its deletion. Covers all
  merchants, or only --merchant.

  export   prints everything that is stored about the address, as JSON
  erase    replaces names, addresses and meta in payments, notifications, mails,
           refunds, refused forms and URLs. Amounts, states, dates and the
           merchant's own references (tx_ref) stay. This can't be undone.
           Dashboard users are not affected

  Both are recorded in the audit log, without the address. docs/privacy.md
  explains what networks, backups and merchants still have.`

export async function customer(config: Config, args: string[], { personal }: Lists): Promise<void> {
  const [verb, ...rest] = args
  if (verb !== 'export' && verb !== 'erase')
    throw new UsageMistake('Name a subcommand: florin customer export or erase')
  const parsed = readArguments(rest, {
    email: { type: 'string' },
    merchant: { type: 'string' },
    ...(verb === 'erase' && { yes: { type: 'boolean' }, json: { type: 'boolean' } }),
  })
  const email = readEmail(parsed)
  await withDatabase(config, async (db) => {
    const rooms = await personal(db)
    return verb === 'export' ? printExport(db, rooms, parsed, email) : erase(db, rooms, parsed, email)
  })
}

function readEmail(parsed: Parsed): string {
  const email = text(parsed, 'email')?.trim()
  if (email === undefined || !/^\S+@\S+$/.test(email))
    throw new UsageMistake('--email is required, such as --email ada@example.com')
  return email
}

async function merchantsOf(db: Database, parsed: Parsed): Promise<number[]> {
  if (text(parsed, 'merchant') !== undefined) return [await whose(db, parsed)]
  return Array.fromAsync(everyMerchant(db))
}

async function printExport(db: Database, rooms: Rooms, parsed: Parsed, email: string): Promise<void> {
  const merchants = []
  for (const merchantId of await merchantsOf(db, parsed)) {
    const found = await exportCustomer(db, rooms, { merchantId, email })
    if (!found) continue
    merchants.push({ merchant: merchantId, ...found })
    await inTransaction(db, async (tx) =>
      recordAct(tx, merchantId, byCommandLine(), {
        action: 'customer.exported',
        subject: String(merchantId),
        after: { payments: found['payments']?.length ?? 0 },
      }),
    )
  }
  print(JSON.stringify({ email, at: new Date().toISOString(), merchants }, undefined, 2))
}

async function erase(db: Database, rooms: Rooms, parsed: Parsed, email: string): Promise<void> {
  await confirmed(parsed, `Erase all personal data of ${email}? This can't be undone.`)
  const erased: { merchant: number; counts: Record<string, number> }[] = []
  for (const merchantId of await merchantsOf(db, parsed)) {
    const counts = await eraseCustomer(db, rooms, { merchantId, email }, byCommandLine())
    if (counts) erased.push({ merchant: merchantId, counts })
  }
  if (flag(parsed, 'json'))
    return print(JSON.stringify(erased.map(({ merchant, counts }) => ({ merchant, ...counts }))))
  if (erased.length === 0) return printLine('No data is stored for that address.')
  for (const { merchant, counts } of erased)
    print(
      `Merchant ${merchant}: ${Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`)
        .join(', ')}`,
    )
}
