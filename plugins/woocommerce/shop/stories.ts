import assert from 'node:assert/strict'
import { sql } from '../../../src/platform/database/sql.ts'
import { post } from '../../../test/support/house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import {
  assertPaidOnce,
  atFlorin,
  cards,
  goToFlorin,
  isPaidPage,
  payAgain,
  payWith,
  signIn,
  tellAgain,
  type Shop,
} from './shopper.ts'
import { order, wordpress, type Order } from './wordpress.ts'

// What happens between a shopper, an owner and Florin; each story in a browser of its own, in both order storages.

export type Stories = Readonly<Record<string, (shop: Shop) => Promise<void>>>

const stock = async (): Promise<number> => wordpress('stock')

async function buy(shop: Shop, kind: 'blocks' | 'classic', card = cards.good): Promise<Order> {
  const before = await stock()
  await goToFlorin(shop, kind)
  await payWith(shop, card)
  await isPaidPage(shop.page)
  return assertPaidOnce(shop, before)
}

export const shopping: Stories = {
  'blocks, a good card': async (shop) => void (await buy(shop, 'blocks')),
  'classic, a good card': async (shop) => void (await buy(shop, 'classic')),
  'classic, a declined card, then a good one': async (shop) => {
    const before = await stock()
    await goToFlorin(shop, 'classic')
    await payWith(shop, cards.declined)
    await shop.page.getByText('Your card was declined.').first().waitFor()
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await assertPaidOnce(shop, before)
  },
  'blocks, 3-D Secure': async (shop) => {
    const before = await stock()
    await goToFlorin(shop, 'blocks')
    await payWith(shop, cards.secure)
    await shop.page.getByRole('button', { name: /Approve/ }).click()
    await isPaidPage(shop.page)
    await assertPaidOnce(shop, before)
  },
  'classic, the back button leads to the same payment': async (shop) => {
    const before = await stock()
    await goToFlorin(shop, 'classic')
    const first = shop.page.url()
    await shop.page.goBack()
    await shop.page.locator('.blockOverlay').first().waitFor({ state: 'detached' })
    await payAgain(shop)
    assert.equal(shop.page.url(), first)
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await assertPaidOnce(shop, before)
  },
  'blocks, the tab is closed: the callback alone finishes the order': async (shop) => {
    const before = await stock()
    await goToFlorin(shop, 'blocks')
    await shop.page.route(`${shop.url}/**`, (route) => route.abort()) // the customer never comes back
    await payWith(shop, cards.good)
    await assertPaidOnce(shop, before)
  },
  'classic, a double click makes one payment': async (shop) => {
    const before = await stock()
    await goToFlorin(shop, 'classic', { clicks: 2 })
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    assert.match((await assertPaidOnce(shop, before)).tx_ref, /-1$/)
  },
  'classic, tax and a coupon: the lines add up to the penny': async (shop) => {
    const before = await stock()
    await wordpress('taxes', { on: true })
    await goToFlorin(shop, 'classic', { quantity: 3, coupon: 'TENTH' })
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await wordpress('taxes', { on: false })
    const { total, tx_ref: txRef } = await assertPaidOnce(shop, before, undefined, 3)
    // 3 × 12.34, a tenth off, 20 % on: 33.318 and 6.6636.
    assert.equal(total, '39.98')
    const { amount_minor: amount, items = [] } = await atFlorin(shop, txRef)
    assert.equal(amount, 3_998)
    assert.equal(
      items.reduce((sum, item) => sum + item.quantity * item.unit_amount_minor, 0),
      amount,
    )
    assert.deepEqual(
      items.map(({ name, tax_rate: rate }) => [name, rate]),
      [['3 × Oak chair', '20']],
    )
  },
}

export const paidAgain: Stories = {
  'blocks, cancelled at Florin and paid with the next attempt; late callbacks of the first change nothing':
    async (shop) => {
      const before = await stock()
      await goToFlorin(shop, 'blocks')
      const { page } = shop
      await page.getByText('Cancel this payment').click()
      await page.getByRole('button', { name: 'Yes, cancel' }).click()
      await page.getByRole('heading', { name: 'Payment cancelled' }).waitFor()
      await page
        .getByRole('link', { name: /^Return to/ })
        .first()
        .click()
      await page.waitForURL(/order-pay/)
      const first = await order()
      assert.equal(first.status, 'pending')
      await payAgain(shop)
      await payWith(shop, cards.good)
      await isPaidPage(page)
      const { id, notes, status } = await assertPaidOnce(shop, before, first.id)
      const now = await order(id)
      assert.match(now.tx_ref, /-2$/)
      await tellAgain(shop, first.tx_ref)
      await tellAgain(shop, now.tx_ref)
      const { notes: later, status: laterStatus } = await assertPaidOnce(shop, before, id)
      assert.deepEqual([later, laterStatus], [notes, status])
    },
  'blocks, expired at Florin and paid again from the link in the mail': async (shop) => {
    const before = await stock()
    await goToFlorin(shop, 'blocks')
    const { id, pay, tx_ref: txRef } = await order()
    await shop.house.db.query(
      sql`update payments set expires_at = now() - interval '1 second' where tx_ref = ${txRef}`,
    )
    await waitUntil('the order knows that it expired', async () => (await order(id)).status === 'failed')
    assert.equal((await order(id)).notes.filter((note) => note.includes('not finished in time')).length, 1)
    await shop.page.goto(pay)
    await payAgain(shop)
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    assert.match((await assertPaidOnce(shop, before, id)).tx_ref, /-2$/)
  },
  'classic, cancelled in the shop: the page at Florin takes no money any more': async (shop) => {
    await goToFlorin(shop, 'classic')
    const { id, tx_ref: txRef } = await order()
    await wordpress('set-status', { id, status: 'cancelled' })
    assert.equal((await atFlorin(shop, txRef)).status, 'cancelled')
    await shop.page.reload()
    await shop.page.getByRole('heading', { name: 'Payment cancelled' }).waitFor()
    await tellAgain(shop, txRef)
    const { status, notes } = await order(id)
    assert.equal(status, 'cancelled')
    assert.ok(!notes.some((note) => note.includes('can still be paid')), notes.join('\n'))
  },
  'classic, cancelled in the shop while the bank asks the customer: the money counts, and one chair is gone':
    async (shop) => {
      const before = await stock()
      await goToFlorin(shop, 'classic')
      const { id } = await order()
      await payWith(shop, cards.secure)
      await shop.page.getByRole('button', { name: /Approve/ }).waitFor()
      await wordpress('set-status', { id, status: 'cancelled' })
      await shop.page.getByRole('button', { name: /Approve/ }).click()
      await isPaidPage(shop.page)
      await assertPaidOnce(shop, before, id)
    },
  'a payment for an order of a copied shop doesn’t pay the order with the same number': async (shop) => {
    await goToFlorin(shop, 'classic')
    const { house, page } = shop
    const { id, tx_ref: txRef } = await order()
    const copy = {
      tx_ref: txRef.replace(/-1$/, '-9'),
      amount: '12.34',
      currency: 'GBP',
      email: 'ada@example.com',
      first_name: 'Ada',
      meta: { order: 'of a copy' },
    }
    const { json } = await post(`${house.url}/api/payment`, copy, house.secretKey)
    await page.goto((json.data as { checkout_url: string }).checkout_url)
    await payWith(shop, cards.good)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await tellAgain(shop, copy.tx_ref)
    assert.equal((await order(id)).status, 'pending')
  },
}

export const afterwards: Stories = {
  'every callback comes three times more, at once: one note, one chair': async (shop) => {
    const before = await stock()
    const { id, tx_ref: txRef, notes } = await buy(shop, 'blocks')
    await Promise.all([tellAgain(shop, txRef), shop.page.reload()])
    await tellAgain(shop, txRef)
    assert.deepEqual((await assertPaidOnce(shop, before, id)).notes, notes)
  },
  'the owner refunds half on the order page, and the rest in Florin': async (shop) => {
    const { id, edit, tx_ref: txRef } = await buy(shop, 'blocks')
    const { page, house } = shop
    await signIn(shop)
    await page.goto(edit)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.locator('button.refund-items').click()
    await page.locator('#refund_amount').fill('6.17')
    await page.locator('button.do-api-refund').click()
    await waitUntil('half is refunded', async () => (await order(id)).refunded === '6.17')
    const rest = { refund_ref: `rest-${id}-${Date.now()}` }
    const answer = await post(`${house.url}/api/transaction/${txRef}/refund`, rest, house.secretKey)
    assert.equal(answer.status, 201, answer.text)
    await waitUntil('the rest is on the order', async () => (await order(id)).refunded === '12.34')
    await tellAgain(shop, txRef)
    const { notes, refunds, status } = await order(id)
    assert.deepEqual([refunds, status], [2, 'refunded'])
    const ours = notes.filter((note) => /refunded/i.test(note) && /-r1-|rest-/.test(note))
    assert.equal(ours.length, 2, notes.join('\n'))
  },
  'a dispute is opened and lost: one note each': async (shop) => {
    const { id, tx_ref: txRef } = await buy(shop, 'blocks', cards.disputed)
    const notesAbout = async (text: string): Promise<number> =>
      (await order(id)).notes.filter((note) => note.includes(text)).length
    await waitUntil(
      'the dispute is on the order',
      async () => (await notesAbout('disputed this payment')) > 0,
    )
    await waitUntil('its end is on the order', async () => (await notesAbout('dispute was lost')) > 0)
    await tellAgain(shop, txRef)
    assert.deepEqual(
      [await notesAbout('disputed this payment'), await notesAbout('dispute was lost')],
      [1, 1],
    )
  },
}
