import type { Config } from '../../platform/settings/config.ts'
import { callbackUrl } from '../../core/networks/connect/callback-url.ts'
import type { Answer } from '../../core/networks/connect/check-account.ts'
import { setUpCallbacks } from '../../core/networks/connect/connect-account.ts'
import { describeAnswer } from '../../core/networks/connect/describe-answer.ts'
import type { HostedConnector } from '../../core/networks/hosted.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { StoredAccount } from '../../core/merchants/accounts/stored-accounts.ts'
import { byCommandLine } from '../reach/who.ts'
import { flag, type Parsed } from '../terminal/arguments.ts'
import { accent, printLine } from '../terminal/print.ts'
import { canAsk, confirm } from '../terminal/prompt.ts'
import type { SecretStore } from './keeping.ts'

/** Where the network sends callbacks, and what to say if it can't: Florin polls instead, only later. */
export function urlOf(config: Config, account: Pick<StoredAccount, 'connector' | 'owner'>): string {
  return callbackUrl(config.BASE_URL, account.connector, account.owner)
}

/**
 * Creates the callback endpoint at the network if its API allows it and the user agrees, now or by --set-up-callbacks.
 * Otherwise explains how to do it by hand.
 */
export async function offerCallbacks(
  config: Config,
  keeping: SecretStore,
  parsed: Parsed,
  network: HostedConnector,
  account: StoredAccount,
): Promise<Answer | undefined> {
  const url = urlOf(config, account)
  if (!config.BASE_URL.startsWith('https://')) {
    printLine(`Callbacks need an https BASE_URL that ${network.label} can reach; until then Florin polls.`)
    return undefined
  }
  if (!network.setUpCallback) {
    printLine(`Add this URL in the ${network.label} dashboard: ${accent(url)}`)
    printLine(`then give Florin its secret: florin connector change ${account.id}`)
    return undefined
  }
  const question = `Set up callbacks to ${url} at ${network.label}?`
  if (!flag(parsed, 'set-up-callbacks') && !(canAsk() && (await confirm(question)))) {
    printLine(`Later: florin connector test ${account.id} --set-up-callbacks`)
    return undefined
  }
  return setUp(config, keeping, network, account)
}

async function setUp(
  config: Config,
  keeping: SecretStore,
  network: HostedConnector,
  account: StoredAccount,
): Promise<Answer> {
  const connecting = { ...keeping, baseUrl: config.BASE_URL }
  const answer = await setUpCallbacks(connecting, network, account, byCommandLine())
  if (answer.kind === 'not_made')
    throw new Refusal('unavailable', `${network.label} could not create a webhook endpoint: ${answer.why}`)
  printLine(describeAnswer(network, answer))
  return answer
}
