import { startGoCardless, type GoCardlessStandIn } from './gocardless.ts'
import { startPayPal, type PayPalStandIn } from './paypal.ts'
import { startPaystack, type PaystackStandIn } from './paystack/paystack.ts'
import { startStripe, type StripeStandIn } from './stripe.ts'

// All networks at once, for whoever wants to click through a live journey without accounts or money.

export type Networks = {
  readonly stripe: StripeStandIn
  readonly gocardless: GoCardlessStandIn
  readonly paystack: PaystackStandIn
  readonly paypal: PayPalStandIn
  /** As `florin connect` and the connectors' options take them. */
  readonly accounts: readonly {
    readonly connector: 'stripe' | 'gocardless' | 'paystack' | 'paypal'
    readonly api: string
    readonly credentials: Readonly<Record<string, string>>
  }[]
  close(): Promise<void>
}

export async function startNetworks(options: { readonly now?: () => Date } = {}): Promise<Networks> {
  const [stripe, gocardless, paystack, paypal] = await Promise.all([
    startStripe({ ...options, secretKey: 'sk_test_playground' }),
    startGoCardless({ ...options, accessToken: 'sandbox_playground' }),
    startPaystack({ ...options, secretKey: 'sk_test_playground_paystack' }),
    startPayPal({ ...options, clientId: 'playground-of-paypal', clientSecret: 'playground-secret' }),
  ])
  return {
    stripe,
    gocardless,
    paystack,
    paypal,
    accounts: [
      {
        connector: 'stripe',
        api: stripe.url,
        credentials: { secret_key: stripe.secretKey, webhook_secret: 'whsec_playground_stripe' },
      },
      {
        connector: 'gocardless',
        api: gocardless.url,
        credentials: { access_token: gocardless.accessToken, webhook_secret: 'playground_gocardless' },
      },
      {
        connector: 'paystack',
        api: paystack.url,
        credentials: { secret_key: paystack.secretKey },
      },
      {
        connector: 'paypal',
        api: paypal.url,
        credentials: {
          client_id: paypal.clientId,
          client_secret: paypal.clientSecret,
          webhook_id: 'PLAYGROUNDPAYPAL',
        },
      },
    ],
    async close() {
      await Promise.all([stripe.close(), gocardless.close(), paystack.close(), paypal.close()])
    },
  }
}

/** The credential that a network's stand-in signs callbacks with. */
export const signsWith = {
  stripe: 'webhook_secret',
  gocardless: 'webhook_secret',
  paystack: 'secret_key',
  paypal: 'webhook_id',
} as const

export function signingSecretOf({ accounts }: Networks, network: keyof typeof signsWith): string {
  return accounts.find(({ connector }) => connector === network)?.credentials[signsWith[network]] ?? ''
}
