import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ModelChanges, styleFile } from '../../../test/support/page-model.ts'
import {
  digits,
  scriptCheckout,
  token,
  viewOf,
  type Script,
} from '../../../test/support/scripted-checkout.ts'
import type { Checkout } from './checkout.ts'
import { openPayment, refuseMiss, type CheckoutRequest } from './open-payment.ts'
import type { PageModel } from './page-model.ts'

function requestOf(query: Readonly<Record<string, string>> = {}, of = digits): CheckoutRequest {
  return { ip: '192.0.2.7', params: { digits: of }, query, headers: {} } as unknown as CheckoutRequest
}

async function open(script: Script, query: Readonly<Record<string, string>> = {}): Promise<PageModel> {
  return openPayment(scriptCheckout(script).checkout, requestOf(query))
}

test('a payment’s page holds everything known about it, in the customer’s language', async () => {
  const { language, ...model } = await open(
    { checkout: { prefix: '/florin', sendsMail: true } },
    { lang: 'de' },
  )
  const view = viewOf()
  assert.equal(language.code, 'de')
  assert.deepEqual(model, {
    isChosen: true,
    prefix: '/florin',
    styleFile,
    shop: { name: view.merchantName, brand: view.brand },
    offered: { offers: [], amountOutOfRange: false },
    isSandbox: false,
    view,
    returned: false,
    looks: 0,
    digits,
    amount: '1.234,50\u00a0£',
    token: token(),
    now: new Date('2026-11-15T14:06:00Z'),
    interrupted: false,
    isPageOpen: false,
    sendsMail: true,
    parts: [],
  })
})

test('the URL says where the customer comes from, with any value', async () => {
  const payment: ModelChanges = { attempt: { state: 'unknown' } }
  const seen = async (query: Readonly<Record<string, string>>) => {
    const { returned, interrupted, looks } = await open({ payment }, query)
    return { returned, interrupted, looks }
  }
  assert.deepEqual(await seen({ returned: '1' }), { returned: true, interrupted: false, looks: 0 })
  assert.deepEqual(await seen({ interrupted: '' }), { returned: false, interrupted: true, looks: 0 })
  assert.deepEqual(await seen({ looks: '7' }), { returned: false, interrupted: false, looks: 7 })
})

test('a customer back from a network’s page isn’t asked to choose again', async () => {
  const hosted = { accountId: 'acc_1', connector: 'stripe', method: 'card', pageUrl: undefined } as const
  const script: Script = {
    payment: { mode: 'live', attempt: { state: 'action_required', hosted } },
    answers: { lookAgain: 'nothing_new', isSandbox: true },
  }
  const here = await open(script)
  assert.deepEqual([here.offered?.offers, here.isSandbox, here.network], [[], false, 'The network stripe'])
  const back = await open(script, { returned: '1' })
  assert.deepEqual([back.offered, back.isSandbox, back.token], [undefined, true, token('live')])
})

test('during an attack the page carries a challenge for the next attempt and says when it can be sent', async () => {
  const proofs = {
    give: async (of: string, attempt: number, bits: number) => ({ token: `${of} ${attempt}`, bits }),
  }
  const given = async (attempt: number | undefined, proofBits: number | undefined, waitUntil?: Date) => {
    const view = { ...viewOf(attempt === undefined ? {} : { attempt: { attempt, state: 'declined' } }) }
    const readCheckout = async () => ({
      ...view,
      ...(proofBits !== undefined && { proofBits }),
      ...(waitUntil && { waitUntil }),
    })
    const { proof, wait } = await open({
      checkout: { readCheckout, cardTesting: { proofs } } as unknown as Partial<Checkout>,
    })
    return { proof, wait }
  }
  const none = { proof: undefined, wait: undefined }
  assert.deepEqual(await given(undefined, undefined), none)
  assert.deepEqual(await given(2, undefined), none)
  assert.deepEqual(await given(undefined, 8), { ...none, proof: { token: `${digits} 1`, bits: 8 } })
  assert.deepEqual(await given(2, 8), { ...none, proof: { token: `${digits} 3`, bits: 8 } })
  const until = new Date('2026-11-15T14:07:00Z')
  assert.deepEqual(await given(2, undefined, until), { ...none, wait: { until } })
})

test('the error page knows the payment’s merchant only once the payment was found', async () => {
  const { checkout } = scriptCheckout({ payment: { merchant: 'Café Central' } })
  const [found, missed] = [requestOf(), requestOf({}, '1'.repeat(32))]
  await openPayment(checkout, found)
  assert.equal((await checkout.knownShops.of(found))?.name, 'Café Central')
  await assert.rejects(openPayment(checkout, missed), { code: 'not_found' })
  assert.equal(await checkout.knownShops.of(missed), undefined)
})

test('guessing payment numbers is rate limited, while real ones are still found', async () => {
  const { checkout } = scriptCheckout()
  await assert.rejects(refuseMiss(checkout, requestOf()), { code: 'not_found' })
  await assert.rejects(refuseMiss(checkout, requestOf()), { code: 'rate_limited' })
  await assert.rejects(openPayment(checkout, requestOf({}, '1'.repeat(32))), { code: 'rate_limited' })
  assert.equal((await openPayment(checkout, requestOf())).digits, digits)
})
