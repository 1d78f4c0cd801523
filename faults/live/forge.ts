import { mayBeAskedAgain } from '../merchant.ts'
import type { Random } from '../random.ts'
import type { Stage } from '../stage.ts'
import { networkNames, sendSigned, strangersSecret, type LiveWorld, type NetworkName } from './world.ts'

// Callbacks that say "paid" about a payment that is not, by somebody who knows its number; and true ones, once more.

export type Forgery = 'unsigned' | 'altered' | 'old' | 'lie' | 'repeated' | "a stranger's"

let count = 0

/** What is wrong with the answer, if anything is: 400 for what nobody signed, 200 for what an account signed. */
export async function forge(
  world: LiveWorld,
  stage: Stage,
  random: Random,
  forgery: Forgery,
): Promise<string | undefined> {
  const { networks } = world
  const network = random.pick(networkNames)
  const { sent } = networks[network].callbacks
  const before = sent[random.whole(0, Math.max(0, sent.length - 1))]
  const url = `${stage.server().url}/callbacks/${network}/${stage.merchant.id}`
  const payment = world.payments.at(-1)
  if (!before || !payment) return undefined
  count += 1
  const id = `${forgery === 'lie' ? 'lie' : forgery === "a stranger's" ? 'stranger' : 'forged'}_${count}`
  const words = { id, merchant: stage.merchant.id, number: payment.number }
  const body = wordsOf[network](words)
  if (forgery === 'lie') return expect(200, forgery, await sendSigned(networks, network, url, body))
  if (forgery === 'repeated') {
    return expect(200, forgery, await sendSigned(networks, network, before.url, before.signed.body))
  }
  if (forgery === "a stranger's") {
    const theirs = `${stage.server().url}/callbacks/${network}/${stage.stranger.id}`
    return expect(200, forgery, await sendSigned(networks, network, theirs, body, strangersSecret))
  }
  const headers = forgery === 'unsigned' ? {} : badSignature(world, network, forgery, before.signed.headers)
  return expect(400, forgery, await post(url, body, headers))
}

type Words = {
  readonly id: string
  readonly merchant: number
  readonly number: string
}

function stripeWords({ id, merchant, number }: Words): string {
  const metadata = { florin_merchant: String(merchant), florin_payment: number }
  const object = { id: `cs_${id}`, object: 'checkout.session', payment_status: 'paid', metadata }
  const created = Math.floor(Date.now() / 1_000)
  return JSON.stringify({
    id,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object },
  })
}

function gocardlessWords({ id, merchant, number }: Words): string {
  const event = {
    id,
    created_at: new Date().toISOString(),
    resource_type: 'payments',
    action: 'confirmed',
    links: { payment: `PM_${id}` },
    resource_metadata: { florin_merchant: String(merchant), florin_payment: number },
  }
  return JSON.stringify({ events: [event] })
}

function paystackWords({ id, merchant, number }: Words): string {
  const metadata = { florin_merchant: String(merchant), florin_payment: number }
  const data = { id, reference: `made-up-${id}`, status: 'success', amount: 1, metadata }
  return JSON.stringify({ event: 'charge.success', data })
}

function payPalWords({ id, merchant, number }: Words): string {
  const resource = { id: `CAP${id}`, status: 'COMPLETED', custom_id: `${merchant}.${number}.forged-key` }
  return JSON.stringify({ id, event_type: 'PAYMENT.CAPTURE.COMPLETED', resource })
}

const wordsOf = {
  stripe: stripeWords,
  gocardless: gocardlessWords,
  paystack: paystackWords,
  paypal: payPalWords,
} as const

/** Of other words, or of a day ago; only Stripe and PayPal sign the time. */
function badSignature(
  { networks }: LiveWorld,
  network: NetworkName,
  forgery: 'altered' | 'old',
  ofOtherWords: Readonly<Record<string, string>>,
): Record<string, string> {
  if (forgery === 'altered' || network === 'gocardless' || network === 'paystack') return { ...ofOtherWords }
  const yesterday = new Date(Date.now() - 86_400_000)
  if (network === 'paypal')
    return networks.paypal.sign('{}', 'PLAYGROUNDPAYPAL', `${yesterday.toISOString().slice(0, 19)}Z`)
  return { 'stripe-signature': networks.stripe.sign('{}', 'whsec_playground_stripe', yesterday) }
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { method: 'POST', body, headers: { ...headers } })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined
  }
}

/** No answer, 503, 408 and 429 are what a server in trouble, or one that was asked too often, may say. */
function expect(wanted: number, forgery: Forgery, status: number | undefined): string | undefined {
  const isRight = status === undefined || status === wanted || mayBeAskedAgain(status) || status === 429
  return isRight ? undefined : `a callback that is ${forgery} was answered with ${status}`
}
