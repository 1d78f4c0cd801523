import type { Config } from '../../config.ts'
import type { Account, Checked, HostedConnector } from '../../connectors/hosted.ts'
import { NoAnswer } from '../../connectors/no-answer.ts'
import { makeOutbound } from '../../outbound/outbound.ts'
import { makeNetworks } from '../../networks.ts'
import { UsageMistake } from '../terminal/arguments.ts'

export type Networks = readonly HostedConnector[]

/** Runs `work` with a way out, which is closed afterwards. */
export async function withNetworks<T>(config: Config, work: (networks: Networks) => Promise<T>): Promise<T> {
  const outbound = makeOutbound()
  try {
    return await work(makeNetworks(config, outbound))
  } finally {
    await outbound.close()
  }
}

export function findNetwork(networks: Networks, name: string | undefined): HostedConnector {
  const found = networks.find((network) => network.name === name)
  if (found) return found
  // Without the word that was given: it may be a key, in the wrong place.
  throw new UsageMistake(`Say which network: ${networks.map((network) => network.name).join(' or ')}`)
}

export type Answer = Checked | { readonly kind: 'no_answer'; readonly why: string }

export const networkLimitMs = 15_000

export async function checkAccount(
  network: HostedConnector,
  account: Account,
  callbackUrl: string,
): Promise<Answer> {
  const asked = await askInTime(async (signal) => network.check(account, callbackUrl, signal))
  return asked.kind === 'answered' ? asked.value : asked
}

type InTime<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'no_answer'; readonly why: string }

/** What a connector throws when nobody answered becomes words; anything else is a bug. */
export async function askInTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<InTime<T>> {
  const signal = AbortSignal.timeout(networkLimitMs)
  try {
    return { kind: 'answered', value: await ask(signal) }
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'no_answer', why: error.message.replace(/^.*?: /, '') }
    if (signal.aborted) return { kind: 'no_answer', why: `nothing came within ${networkLimitMs / 1000} s` }
    throw error
  }
}
