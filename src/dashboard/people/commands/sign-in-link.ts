import type { Config } from '../../../platform/settings/config.ts'
import type { Database } from '../../../platform/database/database.ts'
import { listKeys } from '../../../core/merchants/list.ts'
import { onlyPerson } from '../find-person.ts'
import { readEmail } from '../read-person.ts'
import { makeSignInLink } from '../sign-in-link.ts'
import { addOwner, makeFirstLink } from '../sign-up.ts'
import {
  flag,
  merchantNumber,
  readArguments,
  text,
  UsageMistake,
  type Parsed,
} from '../../../cli/terminal/arguments.ts'
import { print } from '../../../cli/terminal/print.ts'
import { byCommandLine } from '../../../cli/reach/who.ts'
import { withDatabase } from '../../../cli/reach/with-database.ts'

export const signInLinkHelp = `florin sign-in-link [--email ADDRESS] [--owner-of NUMBER] [--json]

  Creates a link that signs someone in to the dashboard. It works once, within
  15 minutes: for the first visit, or after losing password, phone and passkeys.
  Before anyone has an account, the link signs up the first person within 60
  minutes and makes them the operator. There is no other way to do that.

  --email      the person's address; not needed while there is only one person
  --owner-of   first make this person an owner of this merchant, creating the
               account if needed`

export async function signInLink(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, {
    email: { type: 'string' },
    'owner-of': { type: 'string' },
    json: { type: 'boolean' },
  })
  const path = await withDatabase(config, async (db) => {
    const whose = await whoseLink(db, parsed)
    return whose === 'first' ? makeFirstLink(db, byCommandLine()) : makeSignInLink(db, whose, byCommandLine())
  })
  const url = `${config.BASE_URL.replace(/\/+$/, '')}${path}`
  print(flag(parsed, 'json') ? JSON.stringify({ url }) : url)
}

type LinkOwner = { readonly email: string } | { readonly personId: string } | 'first'

async function whoseLink(db: Database, parsed: Parsed): Promise<LinkOwner> {
  const given = text(parsed, 'email')
  const ownerOf = text(parsed, 'owner-of')
  if (given === undefined) {
    if (ownerOf !== undefined) throw new UsageMistake("--owner-of needs --email, the owner's address")
    const only = await onlyPerson(db)
    if (only === 'nobody') return 'first'
    if (only === 'several') throw new UsageMistake('Give an address: florin sign-in-link --email ADDRESS')
    return { personId: only.id }
  }
  const email = readEmail(given)
  if (ownerOf === undefined) return { email }
  const merchantId = merchantNumber(ownerOf)
  if (merchantId === undefined)
    throw new UsageMistake(`--owner-of must be the merchant's 8-digit number, but is "${ownerOf}"`)
  // For its refusal of a merchant that does not exist.
  await listKeys(db, merchantId)
  const name = email.split('@')[0]?.slice(0, 100) ?? email
  return { personId: await addOwner(db, merchantId, { email, name }, byCommandLine()) }
}
