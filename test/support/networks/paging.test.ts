import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openGoCardless, openStripe } from './open-networks.ts'

// The stand-ins page as the networks do: a connector that forgets a page, a filter or a cursor must not get away with it.

let stripe: Awaited<ReturnType<typeof openStripe>>
let gocardless: Awaited<ReturnType<typeof openGoCardless>>
before(async () => {
  stripe = await openStripe()
  gocardless = await openGoCardless()
  const { books } = stripe.network
  for (let place = 0; place < 7; place += 1) {
    const [id, paymentIntent] = [`re_${place}`, place % 2 === 0 ? 'pi_even' : 'pi_odd']
    const of = { amount: 1, currency: 'gbp', metadata: {}, payment_intent: paymentIntent, charge: 'ch_1' }
    books.refunds.set(id, { id, object: 'refund', created: place, status: 'succeeded', ...of })
    const intent = {
      id: paymentIntent,
      object: 'payment_intent',
      amount: 1,
      currency: 'gbp',
      metadata: {},
      created: place,
      setup_future_usage: null,
      customer: null,
      payment_method: null,
    } as const
    const plain = { description: null, statement_descriptor_suffix: null, last_payment_error: null }
    books.intents.set(paymentIntent, { ...intent, ...plain, amount_received: 1, status: 'succeeded' })
    const links = { payment: place % 2 === 0 ? 'PM_EVEN' : 'PM_ODD' }
    const made = { id: `RF${place}`, created_at: '2026-11-15T12:00:00.000Z', amount: 1, currency: 'GBP' }
    gocardless.network.books.refunds.set(made.id, { ...made, metadata: {}, links, status: 'paid' })
    const payment = { id: links.payment, amount_refunded: 0, status: 'confirmed', metadata: {} } as const
    gocardless.network.books.payments.set(links.payment, { ...made, ...payment })
  }
})
after(async () => {
  await Promise.all([stripe.close(), gocardless.close()])
})

type Body = Record<string, unknown>

async function ask(url: string, headers: Record<string, string>): Promise<{ status: number; body: Body }> {
  const answer = await fetch(url, { headers })
  return { status: answer.status, body: (await answer.json()) as Body }
}

async function atStripe(query: string): Promise<string> {
  const authorization = `Bearer ${stripe.network.secretKey}`
  const { status, body } = await ask(`${stripe.network.url}/v1/refunds?${query}`, { authorization })
  if (status !== 200) return String(status)
  const names = (body['data'] as { id: string }[]).map(({ id }) => id.slice(3)).join('')
  return names + (body['has_more'] === true ? '+' : '')
}

async function atGoCardless(query: string): Promise<string> {
  const authorization = `Bearer ${gocardless.network.accessToken}`
  const headers = { authorization, 'gocardless-version': '2015-07-06' }
  const { status, body } = await ask(`${gocardless.network.url}/refunds?${query}`, headers)
  if (status !== 200) return String(status)
  const names = (body['refunds'] as { id: string }[]).map(({ id }) => id.slice(2)).join('')
  const { cursors } = body['meta'] as { cursors: Record<'before' | 'after', string | null> }
  return [names, cursors.before, cursors.after].join(' ')
}

test('the Stripe stand-in lists newest first, page by page, with its filter on every page', async () => {
  for (const [query, told] of [
    ['', '6543210'],
    ['limit=3', '654+'],
    ['limit=3&starting_after=re_4', '321+'],
    ['limit=3&starting_after=re_1', '0'],
    ['limit=2&payment_intent=pi_even', '64+'],
    ['limit=2&payment_intent=pi_even&starting_after=re_4', '20'],
    ['limit=2&payment_intent=pi_even&starting_after=re_5', '42+'],
    ['limit=2&ending_before=re_2', '43+'],
    ['limit=100', '6543210'],
    ['limit=101', '400'],
    ['limit=0', '400'],
    ['starting_after=re_none', '400'],
    ['ending_before=re_none', '400'],
    ['starting_after=re_4&ending_before=re_2', '400'],
    ['payment_intent=pi_none', '404'],
    ['status=pending', '400'],
  ] as const)
    assert.equal(await atStripe(query), told, query)
})

test('the GoCardless stand-in lists newest first, by cursor, with its filter on every page', async () => {
  for (const [query, told] of [
    ['', '6543210  '],
    ['limit=3', '654  RF4'],
    ['limit=3&after=RF4', '321 RF3 RF1'],
    ['limit=3&after=RF1', '0 RF0 '],
    ['limit=2&payment=PM_EVEN', '64  RF4'],
    ['limit=2&payment=PM_EVEN&after=RF4', '20 RF2 '],
    ['limit=500', '6543210  '],
    ['limit=501', '422'],
    ['after=RF_NONE', '422'],
    ['payment=PM_NONE', '404'],
    ['mandate=MD1', '422'],
  ] as const)
    assert.equal(await atGoCardless(query), told, query)
})

test('by default Stripe returns ten per page, and GoCardless fifty', async () => {
  const [first] = stripe.network.books.refunds.values()
  const [other] = gocardless.network.books.refunds.values()
  for (let place = 7; place < 60; place += 1) {
    stripe.network.books.refunds.set(`re_${place}`, {
      ...(first ?? assert.fail()),
      id: `re_${place}`,
      created: place,
    })
    gocardless.network.books.refunds.set(`RF${place}`, { ...(other ?? assert.fail()), id: `RF${place}` })
  }
  assert.equal(await atStripe(''), '59585756555453525150+')
  assert.match(await atGoCardless(''), /^5958.*1110 {2}RF10$/)
})
