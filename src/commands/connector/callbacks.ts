import type { Config } from '../../config.ts'
import { callbackUrl } from '../../callbacks/callback-url.ts'
import type { HostedConnector } from '../../connectors/hosted.ts'
import { Refusal } from '../../errors/refusals.ts'
import { changeAccount, recordChecked } from '../../merchants/accounts/change-accounts.ts'
import type { StoredAccount } from '../../merchants/accounts/stored-accounts.ts'
import { byCommandLine } from '../reach/who.ts'
import { flag, type Parsed } from '../terminal/arguments.ts'
import { accent, say } from '../terminal/print.ts'
import { canAsk, confirm } from '../terminal/prompt.ts'
import { askInTime, checkAccount, type Answer } from './networks.ts'
import type { Keeping } from './keeping.ts'
import { sayAnswer } from './say.ts'

/** Whom the network calls, and what to say when it can't: Florin asks by itself, only later. */
export function urlOf(config: Config, account: Pick<StoredAccount, 'connector' | 'owner'>): string {
  return callbackUrl(config.BASE_URL, account.connector, account.owner)
}

/**
 * Makes the callback endpoint at the network where its API can, when somebody says yes, now or by --set-up-callbacks. Else
 * says how it is done by hand.
 */
export async function offerCallbacks(
  config: Config,
  keeping: Keeping,
  parsed: Parsed,
  network: HostedConnector,
  account: StoredAccount,
): Promise<Answer | undefined> {
  const url = urlOf(config, account)
  if (!config.BASE_URL.startsWith('https://')) {
    say(`Callbacks need an https BASE_URL that ${network.label} can reach; until then Florin asks by itself.`)
    return undefined
  }
  if (!network.setUpCallback) {
    say(`Set them up in the dashboard of ${network.label}, for the address ${accent(url)}`)
    say(`and then give its secret to Florin: florin connector change ${account.id}`)
    return undefined
  }
  const question = `Set up callbacks to ${url} at ${network.label}?`
  if (!flag(parsed, 'set-up-callbacks') && !(canAsk() && (await confirm(question)))) {
    say(`Later: florin connector test ${account.id} --set-up-callbacks`)
    return undefined
  }
  return setUp(config, keeping, network, account)
}

async function setUp(
  config: Config,
  { db, secrets }: Keeping,
  network: HostedConnector,
  account: StoredAccount,
): Promise<Answer> {
  const url = urlOf(config, account)
  const made = await askInTime(async (signal) => network.setUpCallback?.(account, url, signal))
  if (made.kind === 'no_answer')
    throw new Refusal('unavailable', `${network.label} made no endpoint for callbacks: ${made.why}`)
  const credentials = { ...account.credentials, ...made.value }
  const fresh = { id: account.id, sandbox: account.sandbox, credentials }
  const { label, sandbox } = account
  // First of all: the network tells the secret this once.
  const changed = { credentials, label, sandbox, callbacks: 'set_up' } as const
  await changeAccount(db, secrets, account, changed, byCommandLine())
  const answer = await checkAccount(network, fresh, url)
  if (answer.kind === 'works' && answer.callbacks !== 'set_up')
    await recordChecked(db, account, { label, sandbox, callbacks: answer.callbacks })
  say(sayAnswer(network, answer))
  return answer
}
