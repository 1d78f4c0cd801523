import type { Config } from '../../platform/settings/config.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Answer } from '../../core/networks/connect/check-account.ts'
import {
  changeCredentials,
  connectAccount,
  disconnectAccount,
  livingAccount,
  testAccount,
} from '../../core/networks/connect/connect-account.ts'
import { describeAnswer, describeCallbacks } from '../../core/networks/connect/describe-answer.ts'
import { listAllAccounts, type AccountSummary } from '../../core/merchants/accounts/list-accounts.ts'
import { readAccounts } from '../../core/merchants/accounts/read-accounts.ts'
import type { StoredAccount } from '../../core/merchants/accounts/stored-accounts.ts'
import { byCommandLine } from '../reach/who.ts'
import { withDatabase, withSecrets } from '../reach/with-database.ts'
import { confirmed } from '../terminal/confirmed.ts'
import { flag, readArguments, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { print, printTable, printLine } from '../terminal/print.ts'
import { offerCallbacks } from './callbacks.ts'
import { findAccount, ownerOf, type SecretStore } from './keeping.ts'
import { findNetwork, withNetworks, type NetworkList, type Networks } from './networks.ts'
import { readCredentials } from './read-credentials.ts'
import { describeOwner } from './describe-owner.ts'
import { standard } from '../terminal/standard.ts'

export const connectorHelp = `florin connector add stripe|gocardless|paystack|paypal [--file PATH]
                     [--set-up-callbacks] [--merchant NUMBER | --installation]
                     [--json]
florin connector list [--all] [--json]
florin connector test [ACCOUNT_ID] [--set-up-callbacks] [--json]
florin connector change ACCOUNT_ID [--file PATH] [--json]
florin connector remove ACCOUNT_ID [--yes] [--json]

  The network accounts that take live payments. Florin asks for credentials
  without showing them, tries them, stores them encrypted and never prints them.
  It recognises credentials of a network's sandbox; with those no real money
  moves.

  add takes one account per network and merchant. test asks the network whether
  the account works, which one it is and whether callbacks are set up; without
  an ACCOUNT_ID it tests all. change replaces the credentials of an account.
  remove stops new payments; payments in progress will finish.

  --file               read credentials from a file, JSON or one name=value per
                       line, or - for standard input
  --set-up-callbacks   set up callbacks at the network without asking
  --merchant           the merchant's number; not needed while there is only one
  --installation       for all merchants without an account of their own
  --all                include removed accounts
  --yes                don't ask`

export async function connector(config: Config, args: string[], lists: NetworkList): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'list') return list(config, rest)
  if (verb === 'add') return withNetworks(config, lists, async (networks) => add(config, rest, networks))
  if (verb === 'test')
    return withNetworks(config, lists, async (networks) => testAccounts(config, rest, networks))
  if (verb === 'change')
    return withNetworks(config, lists, async (networks) => change(config, rest, networks))
  if (verb === 'remove')
    return withNetworks(config, lists, async (networks) => remove(config, rest, networks))
  throw new UsageMistake('Name a subcommand: florin connector add, list, test, change or remove')
}

const json = { json: { type: 'boolean' } } as const
const credentialOptions = {
  ...json,
  file: { type: 'string' },
  'set-up-callbacks': { type: 'boolean' },
} as const

/** Like readArguments, without repeating a word that is one too many: it may be a secret. */
function readSecretly(args: string[], options: Parameters<typeof readArguments>[1], words: number): Parsed {
  const parsed = readArguments(args, options, Infinity)
  if (parsed.words.length > words)
    throw new UsageMistake(
      "Don't pass credentials as arguments, your shell stores them: Florin asks for them, or use --file",
    )
  return parsed
}

export async function add(config: Config, args: string[], networks: Networks): Promise<void> {
  const options = {
    ...credentialOptions,
    merchant: { type: 'string' },
    installation: { type: 'boolean' },
  } as const
  const parsed = readSecretly(args, options, 1)
  const network = findNetwork(networks, parsed.words[0])
  await withSecrets(config, async (keeping) => {
    const { db, secrets } = keeping
    const owner = await ownerOf(db, parsed)
    const living = await livingAccount(db, owner, network.name)
    if (living) throw taken(network.label, living)
    const credentials = await readCredentials(network, parsed)
    const connecting = { ...keeping, baseUrl: config.BASE_URL }
    const result = await connectAccount(connecting, network, { owner, credentials }, byCommandLine())
    if (result.kind === 'fails') throw notStored(describeAnswer(network, result.answer))
    if (result.kind === 'taken') throw notStored(`Someone else just added one for ${describeOwner(owner)}.`)
    const { id, answer } = result
    printLine(`${describeAnswer(network, answer)} It is ${id} of ${describeOwner(owner)}.`)
    const account = (await readAccounts(db, secrets, owner)).find((one) => one.id === id)
    const later =
      account && answer.callbacks === 'missing'
        ? await offerCallbacks(config, keeping, parsed, network, account)
        : undefined
    print(flag(parsed, 'json') ? JSON.stringify({ id, ...shown(later ?? answer) }) : id)
  })
}

function taken(label: string, { id, label: name, merchant }: AccountSummary): Refusal {
  return new Refusal(
    'unavailable',
    `${describeOwner(merchant)} already has an account at ${label}: ${id}, ${name}. ` +
      `To change its credentials: florin connector change ${id}. To use another account: florin connector remove ${id} first.`,
  )
}

function notStored(sentence: string): Refusal {
  return new Refusal('unavailable', `${sentence} Nothing was stored.`)
}

/** Without the words of the network's refusal, which the sentence has. */
function shown(answer: Answer): object {
  if (answer.kind !== 'works') return { works: false, why: answer.why }
  const { accountName, sandbox, callbacks } = answer
  return { works: true, name: accountName, sandbox, callbacks }
}

async function list(config: Config, args: string[]): Promise<void> {
  const parsed = readArguments(args, { ...json, all: { type: 'boolean' } })
  const all = await withDatabase(config, listAllAccounts)
  const accounts = all.filter((account) => flag(parsed, 'all') || account.removed_at === null)
  if (flag(parsed, 'json')) return print(JSON.stringify(accounts))
  const rows = accounts.map((account) => [
    account.id,
    account.merchant === 'installation' ? 'installation' : String(account.merchant),
    account.connector,
    account.removed_at === null ? (account.sandbox ? 'sandbox' : 'live') : 'removed',
    describeCallbacks(account.callbacks).replace(/^are /, ''),
    account.label,
  ])
  printTable(['ACCOUNT_ID', 'WHOSE', 'NETWORK', 'MODE', 'CALLBACKS', 'NAME'], rows, {
    empty: 'No network accounts yet: florin connector add stripe',
  })
}

export async function testAccounts(config: Config, args: string[], networks: Networks): Promise<void> {
  const parsed = readArguments(args, { ...json, 'set-up-callbacks': { type: 'boolean' } }, 1)
  const [id] = parsed.words
  await withSecrets(config, async (keeping) => {
    const accounts = id === undefined ? await livingAccounts(keeping) : [await findAccount(keeping, id)]
    if (accounts.length === 0) throw new UsageMistake('No network accounts yet: florin connector add stripe')
    const answers: object[] = []
    for (const account of accounts) {
      const answer = await testOne(config, keeping, parsed, networks, account)
      answers.push({
        id: account.id,
        merchant: account.owner,
        connector: account.connector,
        ...shown(answer),
      })
      if (answer.kind !== 'works') standard().exitCode = 69
    }
    if (flag(parsed, 'json')) print(JSON.stringify(answers))
  })
}

async function testOne(
  config: Config,
  keeping: SecretStore,
  parsed: Parsed,
  networks: Networks,
  account: StoredAccount,
): Promise<Answer> {
  const network = findNetwork(networks, account.connector)
  const connecting = { db: keeping.db, baseUrl: config.BASE_URL }
  const answer = await testAccount(connecting, network, account)
  const line = `${account.id} of ${describeOwner(account.owner)}: ${describeAnswer(network, answer)}`
  if (flag(parsed, 'json')) printLine(line)
  else print(line)
  if (answer.kind !== 'works' || answer.callbacks !== 'missing') return answer
  return (await offerCallbacks(config, keeping, parsed, network, account)) ?? answer
}

async function livingAccounts({ db, secrets }: SecretStore): Promise<StoredAccount[]> {
  const owners = new Set((await listAllAccounts(db)).map(({ merchant }) => merchant))
  const read: StoredAccount[] = []
  for (const owner of owners) read.push(...(await readAccounts(db, secrets, owner)))
  return read.filter(({ isRemoved }) => !isRemoved)
}

export async function change(config: Config, args: string[], networks: Networks): Promise<void> {
  const parsed = readSecretly(args, credentialOptions, 1)
  await withSecrets(config, async (keeping) => {
    const account = await findAccount(keeping, parsed.words[0] ?? '')
    const network = findNetwork(networks, account.connector)
    const credentials = await readCredentials(network, parsed, account.credentials)
    const connecting = { ...keeping, baseUrl: config.BASE_URL }
    const result = await changeCredentials(connecting, network, { account, credentials }, byCommandLine())
    if (result.kind === 'fails') throw notStored(describeAnswer(network, result.answer))
    if (result.kind === 'other_account')
      throw notStored(
        `These credentials belong to another account, ${result.label}, not to ${account.label}: ` +
          `florin connector remove ${account.id}, then add.`,
      )
    const { answer } = result
    printLine(describeAnswer(network, answer))
    print(flag(parsed, 'json') ? JSON.stringify({ id: account.id, ...shown(answer) }) : account.id)
  })
}

export async function remove(config: Config, args: string[], networks: Networks): Promise<void> {
  const parsed = readArguments(args, { ...json, yes: { type: 'boolean' } }, 1)
  await withSecrets(config, async (keeping) => {
    const account = await findAccount(keeping, parsed.words[0] ?? '')
    const { label } = findNetwork(networks, account.connector)
    await confirmed(
      parsed,
      `Remove ${account.id}, ${account.label} at ${label}, from ${describeOwner(account.owner)}?`,
    )
    await disconnectAccount(keeping.db, account, byCommandLine())
    const line = `Account ${account.id} removed: it takes no new payments, and payments in progress will finish`
    print(flag(parsed, 'json') ? JSON.stringify({ id: account.id, removed: true }) : line)
  })
}
