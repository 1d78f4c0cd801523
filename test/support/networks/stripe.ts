import { createHmac } from 'node:crypto'
import {
  makeId,
  makeStripeBooks,
  type LaterCharge,
  type NewRefundStatus,
  type StripeBooks,
} from './stripe-books.ts'
import { makeHappenings, type Happenings } from './stripe-happenings.ts'
import { makePayoutHappenings, type PayoutHappenings } from './stripe-payouts.ts'
import { makeRules } from './stripe-rules.ts'
import { startStandIn, type StandIn } from './stand-in.ts'

// Stripe, as far as we use it, on node:http: parameters as strict, keys as remembered and errors as written as there.

export type StripeStandIn = StandIn &
  Happenings &
  PayoutHappenings & {
    readonly secretKey: string
    readonly books: StripeBooks
    /** How refunds come out; those that are not decided end by `endRefund`. */
    refundsAre: NewRefundStatus
    /** How later charges of saved cards come out, if a card's own entry says nothing else. */
    chargesAre: LaterCharge
    readonly chargesOf: Map<string, LaterCharge>
    /** The header, as Stripe would write it. */
    sign(body: string, secret: string, at?: Date): string
  }

export type StripeStandInOptions = {
  readonly now?: () => Date
  readonly port?: number
  readonly secretKey?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

export async function startStripe(options: StripeStandInOptions = {}): Promise<StripeStandIn> {
  const now = options.now ?? ((): Date => new Date())
  const secretKey = options.secretKey ?? makeId('sk_test')
  const books = makeStripeBooks(now)
  const own = {
    secretKey,
    books,
    sign,
    refundsAre: 'succeeded' as StripeStandIn['refundsAre'],
    chargesAre: 'succeeded' as LaterCharge,
    chargesOf: new Map<string, LaterCharge>(),
  }
  let happenings: (Happenings & PayoutHappenings) | undefined
  const standIn = await startStandIn((url, callbacks) => {
    const tell = (type: string, object: object): void =>
      callbacks.tell((secret) => {
        const event = { id: makeId('evt'), object: 'event', type, livemode: false, data: { object } }
        const body = JSON.stringify({ ...event, created: books.seconds() })
        const signature = sign(body, secret, now())
        return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } }
      })
    const made = { ...makeHappenings(books, tell), ...makePayoutHappenings(books, tell) }
    happenings = made
    const act: Happenings['act'] = (id, action) => made.act(id, action)
    const endpointMade = (at: string, secret: string): void => callbacks.to(at, secret)
    const chargesAre = (id: string): LaterCharge => own.chargesOf.get(id) ?? own.chargesAre
    const refundsAre = (): NewRefundStatus => own.refundsAre
    return makeRules({ secretKey, books, url, act, endpointMade, refundsAre, chargesAre, tell })
  }, options)
  return Object.assign(own, standIn, happenings as Happenings & PayoutHappenings)
}

function sign(body: string, secret: string, at: Date = new Date()): string {
  const time = Math.floor(at.getTime() / 1_000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
