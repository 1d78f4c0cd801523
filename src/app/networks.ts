import type { Config } from '../platform/settings/config.ts'
import { goCardlessApis, makeGoCardless } from '../networks/gocardless/gocardless.ts'
import type { HostedConnector } from '../core/networks/hosted.ts'
import { makePayPal, payPalHosts } from '../networks/paypal/paypal.ts'
import { makePaystack, paystackApi } from '../networks/paystack/paystack.ts'
import { makeStripe, stripeApi } from '../networks/stripe/stripe.ts'
import { isLoopbackUrl } from '../platform/outbound/addresses.ts'
import type { Outbound, OutboundScope } from '../platform/outbound/outbound.ts'

// The networks that live payments can go through, for the server and for commands.

type Settings = Pick<Config, 'STRIPE_URL' | 'GOCARDLESS_URL' | 'PAYPAL_URL' | 'PAYSTACK_URL'>

export function makeNetworks(
  settings: Settings,
  outbound: Outbound,
  now: () => Date = () => new Date(),
): readonly HostedConnector[] {
  const { STRIPE_URL, GOCARDLESS_URL, PAYPAL_URL, PAYSTACK_URL } = settings
  const payPal = { live: PAYPAL_URL, sandbox: PAYPAL_URL }
  return [
    makeStripe({ outbound, now, api: STRIPE_URL || stripeApi, scope: scopeOf(STRIPE_URL) }),
    makeGoCardless({
      outbound,
      now,
      apis: GOCARDLESS_URL === '' ? goCardlessApis : { live: GOCARDLESS_URL, sandbox: GOCARDLESS_URL },
      scope: scopeOf(GOCARDLESS_URL),
    }),
    makePayPal({
      outbound,
      now,
      ...(PAYPAL_URL === '' ? payPalHosts : { apis: payPal, certificates: payPal }),
      scope: scopeOf(PAYPAL_URL),
    }),
    makePaystack({ outbound, now, api: PAYSTACK_URL || paystackApi, scope: scopeOf(PAYSTACK_URL) }),
  ]
}

/** A stand-in on this machine may be called; a network's host name that resolves here may not. */
function scopeOf(url: string): OutboundScope {
  return url !== '' && isLoopbackUrl(url) ? 'local' : 'public'
}
