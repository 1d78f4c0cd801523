import { makeGoCardless } from '../../../src/connectors/gocardless/gocardless.ts'
import type { Account } from '../../../src/connectors/hosted.ts'
import { makeStripe } from '../../../src/connectors/stripe/stripe.ts'
import { makeOutbound, type OutboundOptions } from '../../../src/outbound/outbound.ts'
import { startGoCardless } from './gocardless.ts'
import { startStripe } from './stripe.ts'

// A connector with its stand-in and an account there, on a clock that only the test moves.

export type NetworkTls = { readonly key: string; readonly cert: string }

export type OpenOptions = { readonly tls?: NetworkTls; readonly outbound?: OutboundOptions }

function makeClock() {
  let nowMs = Date.now()
  return {
    now: (): Date => new Date(nowMs),
    goOn(ms: number): void {
      nowMs += ms
    },
  }
}

export async function openStripe(options: OpenOptions = {}) {
  const clock = makeClock()
  const network = await startStripe({ ...clock, ...options })
  const outbound = makeOutbound(options.outbound)
  const connector = makeStripe({ outbound, api: network.url, scope: 'local', now: clock.now })
  const credentials = { secret_key: network.secretKey, webhook_secret: 'whsec_test' }
  const account: Account = { id: 'acc_1', credentials, sandbox: true }
  return { ...clock, network, connector, account, close: closing(outbound, network) }
}

export async function openGoCardless(options: OpenOptions = {}) {
  const clock = makeClock()
  const network = await startGoCardless({ ...clock, ...options })
  const outbound = makeOutbound(options.outbound)
  // An account of the sandbox must never reach the live one.
  const apis = { live: 'https://live.invalid', sandbox: network.url }
  const connector = makeGoCardless({ outbound, apis, scope: 'local', now: clock.now })
  const credentials = { access_token: network.accessToken, webhook_secret: 'secret' }
  const account: Account = { id: 'acc_2', credentials, sandbox: true }
  return { ...clock, network, connector, account, close: closing(outbound, network) }
}

function closing(...opened: readonly { close(): Promise<void> }[]): () => Promise<void> {
  return async () => {
    for (const each of opened) await each.close()
  }
}
