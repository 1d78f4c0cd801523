import { startStripe } from '../test/support/networks/stripe.ts'
import { listenTo } from './http-client.ts'

// Stripe's stand-in in a process of its own, for all rounds of a measure: Stripe is not started anew for each of them. What
// customers do on its page comes by a port of its own, as little work as possible, for that page is no part of Florin.

export type StripePlan = {
  readonly port: number
  readonly secretKey: string
  readonly webhookSecret: string
  readonly callbackUrl: string
}

const plan = JSON.parse(process.argv[2] ?? '') as StripePlan
const stripe = await startStripe(plan)
stripe.callbacks.to(plan.callbackUrl, plan.webhookSecret)
// It ends with the process that started it.
process.stdin.resume().on('end', () => process.exit())
const page = await listenTo((session) => stripe.act(session, 'pay'))
process.stdout.write(String(page.port))
