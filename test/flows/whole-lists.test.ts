import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openGoCardless, openPayPal, openPaystack, openStripe } from '../support/networks/open-networks.ts'
import { NoAnswer } from '../../src/core/networks/no-answer.ts'

// A list that isn't whole is an error, and a network that repeats a page isn't asked again and again.

const never = new AbortController().signal
const madeAt = '2026-11-15T12:00:00.000Z'

let worlds: Awaited<ReturnType<typeof openAll>>
before(async () => {
  worlds = await openAll()
})
after(async () => {
  await Promise.all(Object.values(worlds).map(async ({ close }) => close()))
})

async function openAll() {
  const [stripe, gocardless, paystack, paypal] = await Promise.all([
    openStripe(),
    openGoCardless(),
    openPaystack(),
    openPayPal(),
  ])
  return { stripe, gocardless, paystack, paypal }
}

const settlement = { id: 1, status: 'success', effective_amount: 100, currency: 'ZAR', createdAt: madeAt }
const payout = { id: 'PO1', created_at: madeAt, amount: 100, currency: 'GBP', status: 'paid' }

/** Whatever page is asked for, this one is sent, and more is said to follow. */
const pages = {
  stripe: {
    path: /\/disputes$/,
    list: 'disputesSince',
    body: { object: 'list', url: '/v1/disputes', data: [{ id: 'du_1', object: 'dispute' }], has_more: true },
  },
  gocardless: {
    path: /\/payouts$/,
    list: 'payouts',
    body: { payouts: [payout], meta: { cursors: { before: null, after: 'PO1' } } },
  },
  paystack: {
    path: /\/settlement$/,
    list: 'payouts',
    body: { status: true, data: [settlement], meta: { total: 5_500 } },
  },
  paypal: {
    path: /\/disputes$/,
    list: 'disputesSince',
    body: {
      items: [{ dispute_id: 'PP-D-1' }],
      links: [{ rel: 'next', href: 'https://paypal.example/v1/customer/disputes?next_page_token=50' }],
    },
  },
} as const

for (const name of ['stripe', 'gocardless', 'paystack', 'paypal'] as const)
  test(`a list of ${name} that repeats a page ends with an error after a few calls`, async () => {
    const { network, connector, account } = worlds[name]
    const { path, list, body } = pages[name]
    const isAsked = ({ path: asked }: { readonly path: string }): boolean => path.test(asked)
    void network.turn({ kind: 'says', body }, { path, times: 20 })
    const found: AsyncIterable<unknown> =
      connector[list]?.(account, new Date('2026-01-01'), never) ?? assert.fail()
    await assert.rejects(Array.fromAsync(found), NoAnswer)
    assert.ok(network.requests.filter(isAsked).length <= 3)
    network.calm()
  })

test('a list of Paystack with fewer items than its total is an error', async () => {
  const { network, connector, account } = worlds.paystack
  const path = /\/settlement$/
  const listed = async (...bodies: readonly object[]): Promise<number> => {
    for (const body of bodies) void network.turn({ kind: 'says', body: { status: true, ...body } }, { path })
    const found = connector.payouts?.(account, new Date('2026-01-01'), never)
    return (await Array.fromAsync(found ?? [])).length
  }
  const data = [settlement]
  await assert.rejects(listed({ data, meta: { total: 2 } }, { data: [], meta: { total: 2 } }), NoAnswer)
  assert.equal(await listed({ data, meta: { total: 1 } }), 1)
  // Some lists come without a total.
  assert.equal(await listed({ data }), 1)
})
