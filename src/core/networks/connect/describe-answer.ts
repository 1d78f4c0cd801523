import { visible } from '../../../platform/input/visible.ts'
import type { Callbacks } from '../../merchants/accounts/stored-accounts.ts'
import type { HostedConnector } from '../hosted.ts'
import type { Answer } from './check-account.ts'

/** In one sentence: what works, which account it is, whether callbacks are set up. */
export function describeAnswer(network: Pick<HostedConnector, 'label'>, answer: Answer): string {
  if (answer.kind === 'refused') return `${network.label} rejected these credentials: ${visible(answer.why)}.`
  if (answer.kind === 'no_answer') return `No answer from ${network.label}: ${visible(answer.why)}.`
  const { accountName, sandbox, callbacks } = answer
  return `${network.label} works: ${visible(accountName)}, ${describeMoney(sandbox)}; callbacks ${describeCallbacks(callbacks)}.`
}

export function describeMoney(sandbox: boolean): string {
  return sandbox ? 'sandbox, no real money' : 'live'
}

export function describeCallbacks(callbacks: Callbacks): string {
  if (callbacks === 'set_up') return 'are set up'
  return callbacks === 'missing' ? 'are not set up' : `can't be seen from here`
}
