import assert from 'node:assert/strict'
import { addAccount } from '../src/core/merchants/accounts/change-accounts.ts'
import { letNetworkDecide, newLink, type Link } from '../test/support/customer.ts'
import { call, post, type House } from '../test/support/house.ts'
import type { StripeStandIn } from '../test/support/networks/stripe.ts'
import { paymentRequest } from '../test/support/payment-request.ts'
import { answerWith, openReceiver } from '../test/support/receiver.ts'
import { refund } from '../test/support/refunds.ts'
import { tryCard } from '../test/support/stranger.ts'
import { cards } from '../test/support/till.ts'
import { waitUntil } from '../test/support/wait-until.ts'

// Everything that happens to most payments, and what follows from it in the background, once: what a busy installation does all
// day. Each works through HTTP, on a house whose worker runs, so that the statements are those of the product.

const webhookSecret = 'whsec_of-the-endpoint'

export async function walkHotPaths(house: House, stripe: StripeStandIn): Promise<void> {
  await createTogether(house)
  await payAndTell(house)
  await tryCards(house)
  await payLive(house, stripe)
  await house.app.requestLog.flush()
  for (const job of house.app.jobs) await job.run()
}

/** Alone, and several at once with an Idempotency-Key, twice. */
async function createTogether(house: House): Promise<void> {
  const alone = await newLink(house)
  const bodies = Array.from({ length: 6 }, () => paymentRequest())
  const send = async (): Promise<number[]> =>
    Promise.all(
      bodies.map(async (body) => {
        const headers = { 'idempotency-key': `key-${String(body['tx_ref'])}` }
        return (await post(`${house.url}/api/payment`, body, house.secretKey, headers)).status
      }),
    )
  assert.deepEqual(new Set([...(await send()), ...(await send())]), new Set([201]))
  const taken = await post(
    `${house.url}/api/payment`,
    paymentRequest({ tx_ref: alone.txRef }),
    house.secretKey,
  )
  assert.equal(taken.status, 409)
  for (const path of [`/api/transaction/${alone.txRef}`, '/api/transactions'])
    assert.equal((await call(`${house.url}${path}`, { key: house.secretKey })).status, 200)
  const cancelled = await post(`${house.url}/api/transaction/${alone.txRef}/cancel`, {}, house.secretKey)
  assert.equal(cancelled.status, 200, cancelled.text)
}

/** Payments that are paid at once, one of them given back, told to a receiver that is well and to one that is not. */
async function payAndTell(house: House): Promise<void> {
  const [well, failing] = await Promise.all([openReceiver(), openReceiver(answerWith(500))])
  try {
    const links = await Promise.all(
      [well, well, well, well, failing].map(async ({ url }) => newLink(house, { callback_url: url })),
    )
    await Promise.all(links.map(async (link) => pay(house, link)))
    const [first] = links
    assert.ok(first)
    assert.equal((await refund(house, { txRef: first.txRef })).status, 201)
    await Promise.all([well.first(5), failing.first(1)])
    const told = async (): Promise<boolean> => {
      const found = await call(`${house.url}/api/transaction/${first.txRef}`, { key: house.secretKey })
      return (found.json.data as { status: string }).status === 'refunded'
    }
    await waitUntil('the refund is done', told)
  } finally {
    await Promise.all([well.close(), failing.close()])
  }
}

async function pay(house: House, { digits }: Link): Promise<void> {
  const payment = { merchantId: Number(digits.slice(0, 8)), number: digits.slice(8), mode: 'test' as const }
  assert.equal((await house.app.payer.pay(payment, cards.good)).kind, 'paid')
}

/** Declined, sent to 3-D Secure, and one whose answer never comes. */
async function tryCards(house: House): Promise<void> {
  const link = await newLink(house)
  assert.equal((await call(link.url)).status, 200)
  for (const number of ['4000000000000002', '4000000000003220'])
    assert.equal((await tryCard(house, link, { number })).status, 303)
  const late = await newLink(house)
  const { merchantId, number } = { merchantId: house.merchantId, number: late.digits.slice(8) }
  await house.app.payer.pay({ merchantId, number, mode: 'test' }, cards.timeOutPaid)
  await letNetworkDecide(house, late)
}

/** A live payment, known by the network's callback. */
async function payLive(house: House, stripe: StripeStandIn): Promise<void> {
  const credentials = { secret_key: stripe.secretKey, webhook_secret: webhookSecret }
  const account = { connector: 'stripe', credentials, label: 'Corner shop', sandbox: true }
  const accountId = await addAccount(house.db, house.secrets, house.merchantId, {
    ...account,
    callbacks: 'set_up',
  })
  assert.ok(accountId)
  stripe.callbacks.to(`${house.url}/callbacks/stripe/${house.merchantId}`, webhookSecret)
  const link = await newLink(house, {}, house.liveKey)
  const payment = { merchantId: house.merchantId, number: link.digits.slice(8), mode: 'live' as const }
  await waitUntil('the account is known', async () => {
    const sent = await house.app.payer.choose(payment, { accountId, method: 'card' }, 'en')
    return sent.kind !== 'unavailable'
  })
  const session = [...stripe.books.sessions.keys()].at(-1)
  assert.ok(session)
  stripe.act(session, 'pay')
  await stripe.callbacks.settled()
  await waitUntil('the live payment is paid', async () => {
    const found = await call(`${house.url}/api/transaction/${link.txRef}`, { key: house.liveKey })
    return (found.json.data as { status: string }).status === 'success'
  })
}
