import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { listAllAccounts } from '../../core/merchants/accounts/list-accounts.ts'
import { readAccounts } from '../../core/merchants/accounts/read-accounts.ts'
import type { Owner, StoredAccount } from '../../core/merchants/accounts/stored-accounts.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { whose } from '../reach/whose.ts'
import { flag, UsageMistake, type Parsed } from '../terminal/arguments.ts'

/** The database, and what opens its secrets. */
export type SecretStore = { readonly db: Database; readonly secrets: Secrets }

/** --installation, or --merchant, which may be left out while there is only one. */
export async function ownerOf(db: Database, parsed: Parsed): Promise<Owner> {
  if (!flag(parsed, 'installation')) return whose(db, parsed)
  if (parsed.values['merchant'] !== undefined)
    throw new UsageMistake('Use --merchant or --installation, not both')
  return 'installation'
}

/** An active account by its id alone, whoever owns it. */
export async function findAccount({ db, secrets }: SecretStore, id: string): Promise<StoredAccount> {
  if (!/^acc_[0-9A-Za-z]{16}$/.test(id))
    throw new UsageMistake('Give the id of the account, such as acc_… (florin connector list)')
  const listed = (await listAllAccounts(db)).find((account) => account.id === id)
  const read = listed && (await readAccounts(db, secrets, listed.merchant))
  const account = read?.find((one) => one.id === id)
  if (!account) throw new Refusal('not_found', 'Account not found')
  if (account.isRemoved) throw new Refusal('not_found', 'This account is already removed')
  return account
}
