import type { Config } from '../../settings/config.ts'
import { Refusal } from '../../errors/refusals.ts'
import type { Answer } from '../../connectors/connect/check-account.ts'
import {
  changeCredentials,
  connectAccount,
  disconnectAccount,
  livingAccount,
  testAccount,
} from '../../connectors/connect/connect-account.ts'
import { sayAnswer, sayCallbacks } from '../../connectors/connect/say-answer.ts'
import { listAllAccounts, type AccountSummary } from '../../merchants/accounts/list-accounts.ts'
import { readAccounts } from '../../merchants/accounts/read-accounts.ts'
import type { StoredAccount } from '../../merchants/accounts/stored-accounts.ts'
import { byCommandLine } from '../reach/who.ts'
import { withDatabase, withSecrets } from '../reach/with-database.ts'
import { confirmed } from '../terminal/confirmed.ts'
import { flag, readArguments, UsageMistake, type Parsed } from '../terminal/arguments.ts'
import { print, printTable, say } from '../terminal/print.ts'
import { offerCallbacks } from './callbacks.ts'
import { findAccount, ownerOf, type Keeping } from './keeping.ts'
import { findNetwork, withNetworks, type Networks } from './networks.ts'
import { readCredentials } from './read-credentials.ts'
import { sayOwner } from './say.ts'
import { standard } from '../terminal/standard.ts'

export const connectorHelp = `florin connector add stripe|gocardless [--file PATH] [--set-up-callbacks]
                     [--merchant NUMBER | --installation] [--json]
florin connector list [--all] [--json]
florin connector test [ACCOUNT_ID] [--set-up-callbacks] [--json]
florin connector change ACCOUNT_ID [--file PATH] [--json]
florin connector remove ACCOUNT_ID [--yes] [--json]

  The accounts at networks that live payments go through. Credentials are asked
  for and not shown; they are tried before they are stored, sealed, and never
  printed. Those of a network's sandbox are known by their look, and no money
  moves with them.

  add takes one account per network and merchant. test asks the network whether
  it works, which account it is and whether callbacks are set up; all accounts
  when none is named. change gives new credentials to the same account. remove
  takes no new payments, while those under way come to their end.

  --file               credentials from a file, JSON or name=value a line, or -
                       for standard input
  --set-up-callbacks   have the network call Florin, without being asked
  --merchant           the number of the merchant whose account it is; may be
                       left out while there is only one
  --installation       for all merchants that have none of their own
  --all                removed ones too
  --yes                without being asked`

export async function connector(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'list') return list(config, rest)
  if (verb === 'add') return withNetworks(config, async (networks) => add(config, rest, networks))
  if (verb === 'test') return withNetworks(config, async (networks) => testAccounts(config, rest, networks))
  if (verb === 'change') return withNetworks(config, async (networks) => change(config, rest, networks))
  if (verb === 'remove') return withNetworks(config, async (networks) => remove(config, rest, networks))
  throw new UsageMistake('Say what to do: florin connector add, list, test, change or remove')
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
      'Credentials are not taken as arguments, which stay in the history of your shell: you are asked for them, or use --file',
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
    if (result.kind === 'fails') throw notStored(sayAnswer(network, result.answer))
    if (result.kind === 'taken') throw notStored(`Somebody else added one for ${sayOwner(owner)} just now.`)
    const { id, answer } = result
    say(`${sayAnswer(network, answer)} It is ${id} of ${sayOwner(owner)}.`)
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
    `There is an account at ${label} for ${sayOwner(merchant)}: ${id}, ${name}. ` +
      `New credentials of it: florin connector change ${id}. Another account: florin connector remove ${id} first.`,
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
    sayCallbacks(account.callbacks).replace(/^are /, ''),
    account.label,
  ])
  printTable(['ACCOUNT_ID', 'WHOSE', 'NETWORK', 'MODE', 'CALLBACKS', 'NAME'], rows, {
    empty: 'No accounts at networks yet: florin connector add stripe',
  })
}

export async function testAccounts(config: Config, args: string[], networks: Networks): Promise<void> {
  const parsed = readArguments(args, { ...json, 'set-up-callbacks': { type: 'boolean' } }, 1)
  const [id] = parsed.words
  await withSecrets(config, async (keeping) => {
    const accounts = id === undefined ? await livingAccounts(keeping) : [await findAccount(keeping, id)]
    if (accounts.length === 0)
      throw new UsageMistake('There are no accounts yet: florin connector add stripe')
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
  keeping: Keeping,
  parsed: Parsed,
  networks: Networks,
  account: StoredAccount,
): Promise<Answer> {
  const network = findNetwork(networks, account.connector)
  const connecting = { db: keeping.db, baseUrl: config.BASE_URL }
  const answer = await testAccount(connecting, network, account)
  const line = `${account.id} of ${sayOwner(account.owner)}: ${sayAnswer(network, answer)}`
  if (flag(parsed, 'json')) say(line)
  else print(line)
  if (answer.kind !== 'works' || answer.callbacks !== 'missing') return answer
  return (await offerCallbacks(config, keeping, parsed, network, account)) ?? answer
}

async function livingAccounts({ db, secrets }: Keeping): Promise<StoredAccount[]> {
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
    if (result.kind === 'fails') throw notStored(sayAnswer(network, result.answer))
    if (result.kind === 'other_account')
      throw notStored(
        `These are credentials of another account, ${result.label}, and not of ${account.label}: ` +
          `florin connector remove ${account.id}, then add.`,
      )
    const { answer } = result
    say(sayAnswer(network, answer))
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
      `Remove ${account.id}, ${account.label} at ${label}, from ${sayOwner(account.owner)}?`,
    )
    await disconnectAccount(keeping.db, account, byCommandLine())
    const line = `Account ${account.id} is removed: it takes no new payments, and those under way come to their end`
    print(flag(parsed, 'json') ? JSON.stringify({ id: account.id, removed: true }) : line)
  })
}
