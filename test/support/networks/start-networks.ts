import { startGoCardless, type GoCardlessStandIn } from './gocardless.ts'
import { startPaystack, type PaystackStandIn } from './paystack/paystack.ts'
import { startStripe, type StripeStandIn } from './stripe.ts'

// All networks at once, for whoever wants to click through a live journey without accounts or money.

export type Networks = {
  readonly stripe: StripeStandIn
  readonly gocardless: GoCardlessStandIn
  readonly paystack: PaystackStandIn
  /** As `florin connect` and the connectors' options take them. */
  readonly accounts: readonly {
    readonly connector: 'stripe' | 'gocardless' | 'paystack'
    readonly api: string
    readonly credentials: Readonly<Record<string, string>>
  }[]
  close(): Promise<void>
}

export async function startNetworks(options: { readonly now?: () => Date } = {}): Promise<Networks> {
  const [stripe, gocardless, paystack] = await Promise.all([
    startStripe({ ...options, secretKey: 'sk_test_playground' }),
    startGoCardless({ ...options, accessToken: 'sandbox_playground' }),
    startPaystack({ ...options, secretKey: 'sk_test_playground_paystack' }),
  ])
  return {
    stripe,
    gocardless,
    paystack,
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
    ],
    async close() {
      await Promise.all([stripe.close(), gocardless.close(), paystack.close()])
    },
  }
}
