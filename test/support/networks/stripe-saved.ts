import type { ApiAnswer, ApiRequest } from './stand-in.ts'
import {
  makeId,
  type Intent,
  type LaterCharge,
  type Metadata,
  type Session,
  type StripeBooks,
} from './stripe-books.ts'
import { listed, makeIntent, missing, refuse, type Parameters } from './stripe-calls.ts'
import * as fields from './stripe-form.ts'
import type { Fields } from './parameters.ts'

// Cards that Stripe saved with a payment, and charges of them without the customer.

export type Saving = {
  readonly books: StripeBooks
  readonly chargesAre: (cardId: string) => LaterCharge
  readonly tell: (type: string, object: object) => void
}

/** The customer paid on a page that saves the card. */
export function saveCard(books: StripeBooks, session: Session, intent: Intent): void {
  if (session.customer_creation !== 'always') return
  const customer = makeId('cus')
  const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2029 }
  const id = makeId('pm')
  books.customers.set(customer, { id: customer, metadata: {} })
  const attached = intent.setup_future_usage === null ? null : customer
  books.cards.set(id, { id, object: 'payment_method', type: 'card', card, customer: attached })
  session.customer = customer
  Object.assign(intent, { customer, payment_method: id })
}

type Checked = (allowed: Fields, does: () => ApiAnswer) => ApiAnswer

/** Undefined: the call is about something else. */
export function callAboutSaved(
  saving: Saving,
  { method, path }: ApiRequest,
  sent: Parameters,
  checked: Checked,
): ApiAnswer | undefined {
  const { books } = saving
  const [, , first = '', id = '', verb = ''] = path.split('/')
  const call = `${method} ${first}`
  if (call === 'POST payment_intents' && id === '')
    return checked(fields.createIntent, () => createIntent(saving, sent))
  if (call === 'GET payment_intents' && id === '') {
    const fits = ({ customer }: Intent): boolean =>
      sent['customer'] === undefined || customer === sent['customer']
    return checked(fields.listIntents, () => listed([...books.intents.values()], sent, path, fits))
  }
  if (call === 'GET payment_intents') {
    const intent = [...books.intents.values()].find((each) => each.id === id)
    return checked(fields.nothing, () => found(intent, 'payment_intent', id))
  }
  if (call === 'POST customers' && id !== '') {
    const customer = books.customers.get(id)
    if (customer) customer.metadata = (sent['metadata'] ?? {}) as Metadata
    return checked(fields.changeCustomer, () => found(customer, 'customer', id))
  }
  if (call === 'GET payment_methods')
    return checked(fields.nothing, () => found(books.cards.get(id), 'payment_method', id))
  if (call === 'POST payment_methods' && verb === 'detach')
    return checked(fields.nothing, () => detach(books, id))
  return undefined
}

function found(object: object | undefined, what: string, id: string): ApiAnswer {
  return object ? { status: 200, body: object } : missing(what, id)
}

function createIntent({ books, chargesAre, tell }: Saving, sent: Parameters): ApiAnswer {
  const [customer, cardId] = [String(sent['customer']), String(sent['payment_method'])]
  const card = books.cards.get(cardId)
  if (!books.customers.has(customer))
    return refuse(400, 'resource_missing', `No such customer: '${customer}'`, 'customer')
  if (card?.customer !== customer)
    return refuse(400, 'resource_missing', `The customer has no payment method ${cardId}`, 'payment_method')
  const of = {
    amount_total: Number(sent['amount']),
    currency: String(sent['currency']),
    created: books.seconds(),
  }
  const intent = makeIntent(of, sent)
  Object.assign(intent, { customer, payment_method: cardId })
  books.intents.set(intent.id, intent)
  const later = chargesAre(cardId)
  if (later === 'processing') intent.status = later
  if (later === 'succeeded') {
    books.charge(intent)
    tell('payment_intent.succeeded', intent)
  }
  if (typeof later === 'string') return { status: 200, body: intent }
  intent.last_payment_error = later
  tell('payment_intent.payment_failed', intent)
  const error = { type: 'card_error', message: 'Your card was declined.', ...later, payment_intent: intent }
  return { status: 402, body: { error } }
}

function detach(books: StripeBooks, id: string): ApiAnswer {
  const card = books.cards.get(id)
  if (!card) return missing('payment_method', id)
  if (card.customer === null)
    return refuse(400, undefined, 'The payment method you provided is not attached to a customer.')
  card.customer = null
  return { status: 200, body: card }
}

/** A charge without the customer that takes days comes to its end. */
export function endCharge(
  { books, tell }: Pick<Saving, 'books' | 'tell'>,
  id: string,
  end: 'succeeded' | 'failed',
) {
  const intent = books.intents.get(id)
  if (intent?.status !== 'processing') throw new Error(`there is no charge ${id} on its way`)
  if (end === 'succeeded') books.charge(intent)
  else {
    intent.status = 'requires_payment_method'
    intent.last_payment_error = { code: 'payment_method_declined' }
  }
  tell(end === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent)
}
