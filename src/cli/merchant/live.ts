import type { Config } from '../../platform/settings/config.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { changeMerchant } from '../../core/merchants/create-merchant.ts'
import { withNetworks, type Networks } from '../connector/networks.ts'
import { byCommandLine } from '../reach/who.ts'
import { whose } from '../reach/whose.ts'
import { withDatabase, withSecrets } from '../reach/with-database.ts'
import { flag, readArguments, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { accent, print, quiet } from '../terminal/print.ts'
import type { Lists } from '../terminal/command.ts'
import { checkLive, type Finding } from './check-live.ts'

export async function live(config: Config, args: string[], lists: Lists): Promise<void> {
  const parsed = readArguments(
    args,
    { merchant: { type: 'string' }, force: { type: 'boolean' }, json: { type: 'boolean' } },
    1,
  )
  const [wanted] = parsed.words
  if (wanted === 'off') return switchOff(config, parsed)
  if (wanted !== 'on') throw new UsageMistake('Use on or off: florin merchant live on')
  return withNetworks(config, lists, async (networks) => switchOn(config, parsed, networks))
}

export async function switchOn(config: Config, parsed: Parsed, networks: Networks): Promise<void> {
  const force = flag(parsed, 'force')
  await withSecrets(config, async (keeping) => {
    const merchant = await whose(keeping.db, parsed)
    const findings = await checkLive(config, keeping, networks, merchant)
    const missing = findings.filter(({ is }) => is === 'missing')
    const left = missing.filter(({ skippable }) => !(force && skippable))
    if (left.length === 0) await changeMerchant(keeping.db, merchant, { liveEnabled: true }, byCommandLine())
    if (flag(parsed, 'json')) print(JSON.stringify({ merchant, live: left.length === 0, checks: findings }))
    else for (const finding of findings) printFinding(finding, force)
    if (left.length > 0) throw stays(merchant, left)
    if (!flag(parsed, 'json')) print(`Merchant ${merchant} takes live payments.`)
  })
}

function printFinding({ is, what, remedy, skippable }: Finding, force: boolean): void {
  if (is === 'ok') return print(`${quiet('ok      ')} ${what}`)
  const word = force && skippable ? quiet('skipped ') : accent('missing ')
  print(`${word} ${what}`)
  print(`${' '.repeat(8)} ${quiet('to do:')} ${remedy}`)
}

function stays(merchant: number, left: readonly Finding[]): Refusal {
  const count = left.length === 1 ? '1 step is missing' : `${left.length} steps are missing`
  const force = left.every(({ skippable }) => skippable) ? '; --force switches it on anyway' : ''
  return new Refusal('unavailable', `Merchant ${merchant} was not switched on: ${count}${force}.`)
}

/** Nothing is asked: it must work when all else fails. */
async function switchOff(config: Config, parsed: Parsed): Promise<void> {
  const merchant = await withDatabase(config, async (db) => {
    const found = await whose(db, parsed)
    await changeMerchant(db, found, { liveEnabled: false }, byCommandLine())
    return found
  })
  if (flag(parsed, 'json')) return print(JSON.stringify({ merchant, live: false }))
  print(`Merchant ${merchant} takes no new live payments. Open payment links can still be paid.`)
}
