import type { Account, Checked, HostedConnector } from '../hosted.ts'
import { NoAnswer } from '../no-answer.ts'

// A network is asked what it says of credentials. Never within a transaction: it may take its time.

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

/** A connector's NoAnswer becomes a message; anything else is a bug. */
export async function askInTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<InTime<T>> {
  const signal = AbortSignal.timeout(networkLimitMs)
  try {
    return { kind: 'answered', value: await ask(signal) }
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'no_answer', why: error.message.replace(/^.*?: /, '') }
    if (signal.aborted) return { kind: 'no_answer', why: `no answer within ${networkLimitMs / 1000} s` }
    throw error
  }
}
