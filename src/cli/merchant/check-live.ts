import type { Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { findUnsafeSettings } from '../../platform/database/durability.ts'
import { readUsable } from '../../core/merchants/accounts/read-accounts.ts'
import type { StoredAccount } from '../../core/merchants/accounts/stored-accounts.ts'
import { readMerchant } from '../../core/merchants/authenticate.ts'
import type { SecretStore } from '../connector/keeping.ts'
import { urlOf } from '../connector/callbacks.ts'
import { checkAccount, type Answer } from '../../core/networks/connect/check-account.ts'
import { describeAnswer } from '../../core/networks/connect/describe-answer.ts'
import { findNetwork, type Networks } from '../connector/networks.ts'

// What must be ready before a merchant takes real money. Each finding says what it is and, if missing, what to do.

export type Finding = {
  readonly about: 'network' | 'currency' | 'address' | 'mail' | 'database'
  readonly is: 'ok' | 'missing'
  readonly what: string
  readonly remedy?: string
  /** Without it no money or payment is lost; --force continues. */
  readonly skippable?: true
}

export async function checkLive(
  config: Config,
  keeping: SecretStore,
  networks: Networks,
  merchantId: number,
  how: 'ask' | 'remember' = 'ask',
): Promise<Finding[]> {
  const accounts = await readUsable(keeping.db, keeping.secrets, merchantId)
  const asked: CheckedAccount[] = []
  for (const account of accounts) {
    const network = findNetwork(networks, account.connector)
    const answer =
      how === 'ask' ? await checkAccount(network, account, urlOf(config, account)) : remembered(account)
    asked.push({ account, answer })
  }
  const isTrial = asked.length > 0 && asked.every(({ account }) => account.sandbox)
  return [
    ...networkFindings(networks, asked),
    ...(await currencyFindings(keeping.db, networks, asked, merchantId)),
    baseUrlFinding(config, isTrial),
    mailFinding(config),
    await databaseFinding(config, keeping.db),
  ]
}

/** The network's last answer: a page that is opened often must not wait for a new one. */
function remembered({ label, sandbox, callbacks }: StoredAccount): Answer {
  return { kind: 'works', accountName: label, sandbox, callbacks }
}

type CheckedAccount = { readonly account: StoredAccount; readonly answer: Answer }

function networkFindings(networks: Networks, asked: readonly CheckedAccount[]): Finding[] {
  if (asked.length === 0) {
    const names = networks.map(({ name }) => name).join(' or ')
    return [
      {
        about: 'network',
        is: 'missing',
        what: 'No network is connected.',
        remedy: `florin connector add, with ${names}`,
      },
    ]
  }
  return asked.flatMap(({ account, answer }): Finding[] => {
    const network = findNetwork(networks, account.connector)
    const what = describeAnswer(network, answer)
    if (answer.kind === 'refused')
      return [{ about: 'network', is: 'missing', what, remedy: `florin connector change ${account.id}` }]
    if (answer.kind === 'no_answer')
      return [{ about: 'network', is: 'missing', what, remedy: 'try again when it answers' }]
    return [
      { about: 'network', is: 'ok', what },
      ...sandboxFinding(account, answer.sandbox),
      ...callbackFinding(account, answer),
    ]
  })
}

function sandboxFinding({ id, label }: StoredAccount, sandbox: boolean): Finding[] {
  if (!sandbox) return []
  const remedy = `florin connector remove ${id}, then add the live account; or --force to try it out`
  const what = `${label} is a sandbox: no real money moves.`
  return [{ about: 'network', is: 'missing', what, remedy, skippable: true }]
}

function callbackFinding({ id }: StoredAccount, answer: Answer): Finding[] {
  if (answer.kind !== 'works' || answer.callbacks !== 'missing') return []
  const what = 'Without callbacks Florin polls, and learns of payments later.'
  const remedy = `florin connector test ${id} --set-up-callbacks`
  return [{ about: 'network', is: 'missing', what, remedy, skippable: true }]
}

async function currencyFindings(
  db: Database,
  networks: Networks,
  asked: readonly CheckedAccount[],
  merchantId: number,
): Promise<Finding[]> {
  const merchant = await readMerchant(db, merchantId)
  if (asked.length === 0 || !merchant) return []
  const used = asked.map(({ account }) => findNetwork(networks, account.connector))
  const untaken = [...merchant.currencies.keys()].filter((currency) =>
    used.every((network) => network.methods(currency).length === 0),
  )
  if (untaken.length === 0) return []
  const what = `This merchant's networks don't take ${untaken.join(', ')}: those payments can't be paid.`
  return [
    { about: 'currency', is: 'missing', what, remedy: 'add a network that takes them', skippable: true },
  ]
}

function baseUrlFinding({ BASE_URL }: Config, isTrial: boolean): Finding {
  if (BASE_URL.startsWith('https://'))
    return { about: 'address', is: 'ok', what: `Customers reach Florin at ${BASE_URL}.` }
  return {
    about: 'address',
    is: 'missing',
    what: `BASE_URL is ${BASE_URL}: without https, others can read and change the traffic.`,
    remedy: "put Florin behind an https proxy, and set BASE_URL to the proxy's URL",
    ...(isTrial && { skippable: true }),
  }
}

function mailFinding({ SMTP_URL }: Config): Finding {
  if (SMTP_URL !== '') return { about: 'mail', is: 'ok', what: 'Receipts are sent by SMTP_URL.' }
  const what = 'SMTP_URL is not set: customers get no receipts, they stay in the mailbox.'
  return { about: 'mail', is: 'missing', what, remedy: 'set SMTP_URL to your mail server', skippable: true }
}

async function databaseFinding(config: Config, db: Database): Promise<Finding> {
  const unsafe = config.ALLOW_UNSAFE_DATABASE === 'on' ? [] : await findUnsafeSettings(db)
  if (unsafe.length === 0)
    return { about: 'database', is: 'ok', what: 'The database never loses an acknowledged payment.' }
  return {
    about: 'database',
    is: 'missing',
    what: `This PostgreSQL may lose acknowledged payments: ${unsafe.join(' and ')} off.`,
    remedy: 'switch that on in postgresql.conf',
  }
}
