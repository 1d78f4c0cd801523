import { startGoCardless, type GoCardlessStandIn } from './gocardless.ts'
import { startStripe, type StripeStandIn } from './stripe.ts'

// Both networks at once, for whoever wants to click through a live journey without accounts or money.

export type Networks = {
  readonly stripe: StripeStandIn
  readonly gocardless: GoCardlessStandIn
  /** As `florin connect` and the connectors' options take them. */
  readonly accounts: readonly {
    readonly connector: 'stripe' | 'gocardless'
    readonly api: string
    readonly credentials: Readonly<Record<string, string>>
  }[]
  close(): Promise<void>
}

export async function startNetworks(options: { readonly now?: () => Date } = {}): Promise<Networks> {
  const [stripe, gocardless] = await Promise.all([
    startStripe({ ...options, secretKey: 'sk_test_playground' }),
    startGoCardless({ ...options, accessToken: 'sandbox_playground' }),
  ])
  return {
    stripe,
    gocardless,
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
    ],
    async close() {
      await Promise.all([stripe.close(), gocardless.close()])
    },
  }
}
