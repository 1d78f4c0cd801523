import type { Config } from '../../../platform/settings/config.ts'
import type { Database } from '../../../platform/database/database.ts'
import { fillDemo } from '../fill.ts'
import { shopName } from '../goods.ts'
import { removeDemoShop } from '../remove.ts'
import { takesLivePayments } from '../../../core/merchants/list.ts'
import { findDemo } from '../../../core/merchants/operator/demo-merchant.ts'
import { onlyPerson } from '../../../dashboard/people/find-person.ts'
import { readEmail } from '../../../dashboard/people/read-person.ts'
import { makeSignInLink } from '../../../dashboard/people/sign-in-link.ts'
import { addOwner } from '../../../dashboard/people/sign-up.ts'
import { byCommandLine } from '../../../cli/reach/who.ts'
import { withDatabase } from '../../../cli/reach/with-database.ts'
import { flag, readArguments, text, UsageMistake, type Parsed } from '../../../cli/terminal/arguments.ts'
import { confirmed } from '../../../cli/terminal/confirmed.ts'
import { print, printLine, quiet, strong } from '../../../cli/terminal/print.ts'

export const demoHelp = `florin demo [--email ADDRESS] [--seed NUMBER] [--yes] [--json]
florin demo remove [--yes]

  Fills a new test merchant with three months of invented payments, so that the
  dashboard has something to show: customers who come back, cards and banks,
  three currencies, declines, refunds, disputes, projects, links, payouts and
  notifications. It takes some seconds, calls nobody and prints a link that
  signs you in. There is one such merchant at a time, and it can't go live.

  remove deletes that merchant with everything that belongs to it, and nothing
  else. Entries of the audit log stay, as always.

  --email   who may open it; not needed while there is only one person
  --seed    another number invents other payments (1)
  --yes     don't ask, even if another merchant here is live`

/** Until someone else has an account here. */
const demoOwner = { email: 'owner@demo.example', name: 'Demo owner' }
const patienceMs = 10 * 60_000

export async function demo(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'remove') return remove(config, rest)
  if (verb !== undefined && !verb.startsWith('-'))
    throw new UsageMistake(`Use florin demo or florin demo remove, not "${verb}"`)
  return fill(config, args)
}

async function fill(config: Config, args: string[]): Promise<void> {
  const option = { type: 'string' } as const
  const parsed = readArguments(args, {
    email: option,
    seed: option,
    yes: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const seed = seedOf(parsed)
  const baseUrl = config.BASE_URL.replace(/\/+$/, '')
  const made = await withDatabase(
    config,
    async (db) => {
      const owner = await ownerOf(db, parsed)
      if ((await findDemo(db)) === undefined && (await takesLivePayments(db)))
        await confirmed(parsed, 'Another merchant here takes live payments. Create a demo shop beside it?')
      const by = byCommandLine()
      const filled = await fillDemo(db, { seed, now: new Date(), baseUrl, by })
      const personId = await addOwner(db, filled.merchantId, owner, by)
      // The link of the first start may still be open in another terminal.
      const link = `${baseUrl}${await makeSignInLink(db, { personId }, by, { keepsOlder: true })}`
      // Someone with several shops would be taken to the first of them.
      const home = new URL(`${baseUrl}/dashboard/${filled.merchantId}/test`).pathname
      return { ...filled, url: `${link}?next=${home}` }
    },
    { statementTimeoutMs: patienceMs },
  )
  if (flag(parsed, 'json'))
    return print(JSON.stringify({ merchant: made.merchantId, payments: made.payments, url: made.url }))
  describe(made, baseUrl)
}

type Made = { readonly merchantId: number; readonly payments: number; readonly url: string }

function describe({ merchantId, payments, url }: Made, baseUrl: string): void {
  const home = `${baseUrl}/dashboard/${merchantId}/test`
  const lines = [
    '',
    `  ${strong(shopName)}  ${quiet(`merchant ${merchantId}, ${payments} payments in three months`)}`,
    '',
    `  ${quiet('Sign in with this link; it works once, within 15 minutes:')}`,
    '',
    url,
    '',
    `  ${quiet('Then look at:')}`,
    `  Home        ${home}?period=month`,
    `  Customers   ${home}/customers`,
    `  Disputes    ${home}/disputes`,
    `  Search      ${home}/payments?search=garcia`,
    '',
    `  ${quiet('Remove it all with')} bin/florin demo remove`,
    '',
  ]
  for (const line of lines) print(line)
}

function seedOf(parsed: Parsed): number {
  const given = text(parsed, 'seed') ?? '1'
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw new UsageMistake(`--seed must be a whole number of up to 9 digits, but is "${given}"`)
}

async function ownerOf(db: Database, parsed: Parsed): Promise<{ email: string; name: string }> {
  const given = text(parsed, 'email')
  if (given !== undefined) {
    const email = readEmail(given)
    return { email, name: email.split('@')[0]?.slice(0, 100) ?? email }
  }
  const only = await onlyPerson(db)
  if (only === 'nobody') return demoOwner
  if (only === 'several') throw new UsageMistake('Say who may open it: florin demo --email ADDRESS')
  return { email: only.email, name: only.name }
}

async function remove(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { yes: { type: 'boolean' } })
  const merchantId = await withDatabase(
    config,
    async (db) => {
      const found = await findDemo(db)
      if (found !== undefined)
        await confirmed(parsed, `Delete ${shopName}, merchant ${found}, and everything in it?`)
      return removeDemoShop(db, byCommandLine())
    },
    { statementTimeoutMs: patienceMs },
  )
  printLine(`Merchant ${merchantId} and everything in it was removed.`)
}
