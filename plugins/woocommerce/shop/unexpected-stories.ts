import assert from 'node:assert/strict'
import { post } from '../../../test/support/house.ts'
import { cardOf } from '../../../test/support/till.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { assertPaidOnce, atFlorin, signIn, tellAgain, type Shop } from './shopper.ts'
import type { Stories } from './stories.ts'
import { order, wordpress } from './wordpress.ts'

// Orders that the shop ends, settles or changes while their link is open, and the money that comes all the same. Without a browser where none is needed.

type Placed = { readonly id: number; readonly url: string; readonly txRef: string }

async function place({ product }: Shop): Promise<Placed> {
  const { id, url } = await wordpress<{ id: number; url: string }>('place', { product })
  return { id, url, txRef: (await order(id)).tx_ref }
}

async function pay({ house }: Shop, { url }: Placed, card = '4242 4242 4242 4242'): Promise<void> {
  const digits = /\/payment\/(\d{32})/.exec(url)?.[1] ?? ''
  const key = { merchantId: house.merchantId, number: digits.slice(8), mode: 'test' as const }
  assert.equal((await house.app.payer.pay(key, cardOf(card))).kind, 'paid')
}

type Fault = { readonly fault?: 'away' | 'lost' }

const change = async (id: number, to: string, more: object = {}): Promise<unknown> =>
  wordpress('change', { id, to, at: '/cancel', ...more })
const refund = async (id: number, amount: string, more: Fault = {}): Promise<string | null> =>
  wordpress('refund', { id, amount, at: '/refund', ...more })
const unexpected = async (id: number): Promise<{ left: number; why: string }[]> =>
  wordpress('unexpected', { id })

type Refunded = { readonly refund_ref: string; readonly status: string }
const refundsOf = async (shop: Shop, txRef: string): Promise<Refunded[]> =>
  ((await atFlorin(shop, txRef)) as unknown as { refunds?: Refunded[] }).refunds ?? []

async function isNoted(id: number, text: string): Promise<void> {
  await waitUntil(`a note says ${text}`, async () =>
    (await order(id)).notes.some((note) => note.includes(text)),
  )
}

export const unexpectedStories: Stories = {
  'no browser: every status that ends or settles an order closes its link': async (shop) => {
    const statuses = [
      'processing',
      'completed',
      'failed',
      'refunded',
      'cancelled',
      'packed',
      'trash',
      'deleted',
    ]
    for (const to of statuses) {
      const { id, txRef } = await place(shop)
      await change(id, to)
      assert.equal((await atFlorin(shop, txRef)).status, 'cancelled', to)
    }
    const waiting = await place(shop)
    await change(waiting.id, 'on-hold')
    assert.equal((await atFlorin(shop, waiting.txRef)).status, 'pending')
    await change(waiting.id, 'completed', { fault: 'away' })
    assert.equal((await atFlorin(shop, waiting.txRef)).status, 'pending')
    await wordpress('close-later')
    assert.equal((await atFlorin(shop, waiting.txRef)).status, 'cancelled')
  },
  'a payment for an order that was completed by hand is told, and refunded by the button': async (shop) => {
    await wordpress('keep-mails')
    const placed = await place(shop)
    const { id, txRef } = placed
    await change(id, 'completed', { fault: 'away' })
    await pay(shop, placed)
    await isNoted(id, 'The customer may have paid twice')
    await tellAgain(shop, txRef)
    const { edit, notes } = await order(id)
    assert.ok(!notes.some((note) => note.startsWith('Paid with Florin')), notes.join('\n'))
    const mails = await wordpress<{ to: string; subject: string }[]>('mails')
    const ours = mails.filter(({ subject }) => subject.includes(`Unexpected payment for order #${id}`))
    assert.deepEqual(
      ours.map(({ to }) => to),
      ['owner@example.com'],
    )
    const { page } = shop
    await signIn(shop)
    await page.goto(edit)
    page.on('dialog', (dialog) => void dialog.accept())
    const notice = page.locator('.notice-error', { hasText: 'may have paid twice' })
    await notice.waitFor()
    if (process.env['TEST_PICTURES'] === 'on') {
      await page.evaluate(
        "document.querySelectorAll('.notice:not(.notice-error), .updated').forEach((one) => one.remove())",
      )
      await page.setViewportSize({ width: 1000, height: 560 })
      await page.screenshot({ path: `artefacts/unexpected-${shop.storage}.png` })
    }
    await notice.getByRole('button', { name: 'Refund 12.34 GBP at Florin' }).click()
    await page.getByText('Florin refunded 12.34 GBP').first().waitFor()
    assert.equal((await atFlorin(shop, txRef)).status, 'refunded')
    assert.deepEqual(await unexpected(id), [])
  },
  'no browser: money of another amount or currency is refunded in the shop': async (shop) => {
    const amount = await place(shop)
    await change(amount.id, 'total', { total: '20.00' })
    await pay(shop, amount)
    await isNoted(amount.id, 'the total of this order is 20.00 GBP')
    assert.equal((await order(amount.id)).status, 'on-hold')
    assert.equal(await refund(amount.id, '2.34'), null)
    assert.deepEqual(
      (await unexpected(amount.id)).map(({ left, why }) => [left, why]),
      [[1_000, 'wrong_amount']],
    )
    assert.equal(await refund(amount.id, '10.00'), null)
    assert.equal((await atFlorin(shop, amount.txRef)).status, 'refunded')
    assert.deepEqual(await unexpected(amount.id), [])

    const currency = await place(shop)
    await change(currency.id, 'currency', { currency: 'USD' })
    await pay(shop, currency)
    await isNoted(currency.id, 'the total of this order is 12.34 USD')
    assert.match(String(await refund(currency.id, '12.34')), /received 12.34 GBP, but this order is in USD/)
  },
  'no browser: money for a deleted order is mailed to the shop': async (shop) => {
    await wordpress('keep-mails')
    const placed = await place(shop)
    await change(placed.id, 'deleted', { fault: 'away' })
    await pay(shop, placed)
    await waitUntil('it is mailed', async () =>
      (await wordpress<{ message: string }[]>('mails')).some(({ message }) =>
        message.includes('for an order that was deleted'),
      ),
    )
    assert.equal((await unexpected(placed.id)).length, 1)
  },
  'no browser: a refund whose answer was lost happens once, and one that failed can be made again': async (
    shop,
  ) => {
    const before = await wordpress<number>('stock')
    const placed = await place(shop)
    const { id, txRef } = placed
    await pay(shop, placed)
    await assertPaidOnce(shop, before, id)
    assert.match(String(await refund(id, '5.00', { fault: 'away' })), /No answer/)
    assert.equal(await refund(id, '5.00'), null)
    assert.match(String(await refund(id, '2.00', { fault: 'lost' })), /No answer/)
    const again = await refund(id, '2.00')
    assert.ok(again === null || again.includes('went through'), String(again))
    await tellAgain(shop, txRef)
    assert.deepEqual(
      (await refundsOf(shop, txRef)).map(({ refund_ref: ref }) => ref.replace(txRef, '')),
      ['-r1-500', '-r2-200'],
    )
    assert.deepEqual([Number((await order(id)).refunded), (await order(id)).refunds], [7, 2])

    const failing = await place(shop)
    await pay(shop, failing, '4000 0000 0000 5126')
    await assertPaidOnce(shop, before - 1, failing.id)
    await refund(failing.id, '1.00')
    await isNoted(failing.id, 'the customer did not get the money')
    await refund(failing.id, '1.00')
    const refs = (await refundsOf(shop, failing.txRef)).map(({ refund_ref: ref }) => ref)
    assert.deepEqual(refs, [`${failing.txRef}-r1-100`, `${failing.txRef}-r2-100`])
  },
  'no browser: a second payment is told as such': async (shop) => {
    const before = await wordpress<number>('stock')
    const placed = await place(shop)
    await pay(shop, placed)
    await assertPaidOnce(shop, before, placed.id)
    const { house } = shop
    const first = await atFlorin(shop, placed.txRef)
    const second = {
      tx_ref: placed.txRef.replace(/-1$/, '-2'),
      amount: '12.34',
      currency: 'GBP',
      email: 'ada@example.com',
      first_name: 'Ada',
      meta: (first as unknown as { meta: object }).meta,
    }
    const { json } = await post(`${house.url}/api/payment`, second, house.secretKey)
    await pay(shop, { ...placed, url: (json.data as { checkout_url: string }).checkout_url })
    await isNoted(placed.id, 'a second time')
    assert.equal((await unexpected(placed.id)).length, 1)
  },
}
