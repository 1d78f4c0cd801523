import assert from 'node:assert/strict'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../../src/database/migrate.ts'
import { openBrowser } from '../../../test/support/chromium.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { openHouse, post } from '../../../test/support/house.ts'
import { startStoppablePostgres } from '../../../test/support/stoppable-postgres.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { assertPaidOnce, cards, goToFlorin, isPaidPage, payWith, signIn, type Shop } from './shopper.ts'
import { folder, here, order, storage, wordpress } from './wordpress.ts'

// `npm run shops -- FOLDER`: buys a chair in a real WordPress with WooCommerce, as a shopper would. FOLDER has WordPress in `wordpress`, installed,
// with one product and served at its own address; PHP and its database must run. Everything else is started here.

const only = process.argv[3]
if (!existsSync(join(folder, 'wordpress/wp-load.php'))) {
  say('Usage: npm run shops -- FOLDER, where FOLDER/wordpress is an installed WordPress with WooCommerce')
  process.exit(1)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const stories: Record<string, (shop: Shop) => Promise<void>> = {
  'blocks, a good card': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'blocks')
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await assertPaidOnce(before)
  },
  'classic, a good card': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'classic')
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await assertPaidOnce(before)
  },
  'classic, a declined card, then a good one': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'classic')
    await payWith(shop, cards.declined)
    await shop.page.getByText('Your card was declined.').first().waitFor()
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await assertPaidOnce(before)
  },
  'blocks, 3-D Secure': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'blocks')
    await payWith(shop, cards.secure)
    await shop.page.getByRole('button', { name: /Approve/ }).click()
    await isPaidPage(shop.page)
    await assertPaidOnce(before)
  },
  'blocks, cancelled at Florin and paid with the next attempt': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'blocks')
    await shop.page.getByText('Cancel this payment').click()
    await shop.page.getByRole('button', { name: 'Yes, cancel' }).click()
    await shop.page.getByRole('heading', { name: 'Payment cancelled' }).waitFor()
    await shop.page
      .getByRole('link', { name: /^Return to/ })
      .first()
      .click()
    await shop.page.waitForURL(/order-pay/)
    assert.equal((await order()).status, 'pending')
    await shop.page.locator('#place_order').click()
    await shop.page.waitForURL(/\/payment\/\d{32}/)
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    assert.match((await assertPaidOnce(before)).tx_ref, /-2$/)
  },
  'classic, the back button leads to the same payment': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'classic')
    const first = shop.page.url()
    await shop.page.goBack()
    await shop.page.locator('.blockOverlay').first().waitFor({ state: 'detached' })
    await shop.page.locator('#place_order').click()
    await shop.page.waitForURL(/\/payment\/\d{32}/)
    assert.equal(shop.page.url(), first)
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    await assertPaidOnce(before)
  },
  'blocks, the tab is closed: the callback alone finishes the order': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'blocks')
    const { page } = shop
    await page.route(`${shop.url}/**`, (route) => route.abort()) // the customer never comes back
    await payWith(shop, cards.good)
    await assertPaidOnce(before)
    await page.unroute(`${shop.url}/**`)
  },
  'classic, a double click makes one payment': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'classic', 2)
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    assert.match((await assertPaidOnce(before)).tx_ref, /-1$/)
  },
  'the owner refunds half on the order page, and the rest in Florin': async (shop) => {
    const before = await wordpress<number>('stock')
    await goToFlorin(shop, 'blocks')
    await payWith(shop, cards.good)
    await isPaidPage(shop.page)
    const { id, edit, tx_ref: txRef } = await assertPaidOnce(before)
    const { page, house } = shop
    await signIn(shop)
    await page.goto(edit)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.locator('button.refund-items').click()
    await page.locator('#refund_amount').fill('6.17')
    await page.locator('button.do-api-refund').click()
    await waitUntil('half is refunded', async () => (await order(id)).refunded === '6.17')
    const key = house.secretKey
    const rest = await post(`${house.url}/api/transaction/${txRef}/refund`, { refund_ref: `rest-${id}` }, key)
    assert.equal(rest.status, 201, rest.text)
    await waitUntil('the rest is on the order', async () => (await order(id)).refunded === '12.34')
    const { notes, refunds, status } = await order(id)
    assert.deepEqual([refunds, status], [2, 'refunded'])
    assert.equal(
      notes.filter((note) => /refunded/i.test(note) && note.includes(`-${id}`)).length,
      2,
      notes.join('\n'),
    )
  },
}

/** For docs/woocommerce.md, when asked for by name. */
async function takePictures(shop: Shop): Promise<void> {
  const { page, url } = shop
  const picture = (name: string): string => join(here, `../../docs/pictures/woocommerce-${name}.png`)
  await page.setViewportSize({ width: 1100, height: 760 })
  await wordpress('checkout', { kind: 'blocks' })
  await page.goto(`${url}/?add-to-cart=${shop.product}`)
  await page.goto(`${url}/checkout/`)
  await page.getByText('Card or bank').first().scrollIntoViewIfNeeded()
  await page.screenshot({ path: picture('checkout') })
  await goToFlorin(shop, 'blocks')
  await payWith(shop, cards.good)
  await isPaidPage(page)
  const { edit } = await order()
  await signIn(shop)
  await page.goto(edit)
  await page.screenshot({ path: picture('order') })
  await page.goto(`${url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=florin`)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText(/Connected to/).waitFor()
}

if (!existsSync(join(folder, 'wordpress/wp-content/plugins/florin-payments')))
  symlinkSync(here, join(folder, 'wordpress/wp-content/plugins/florin-payments'))
const postgres = await startStoppablePostgres()
const browser = await openBrowser()
try {
  await migrate(postgres.url)
  const port = String(await freePort())
  const settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
  const house = await openHouse({ databaseUrl: postgres.url, settings })
  const worker = house.app.startWorker()
  try {
    await wordpress('storage', { kind: storage })
    await wordpress('activate')
    const made = await wordpress<{ test: string; connect: string; product: number; url: string }>('set-up', {
      base_url: house.url,
      test_key: house.secretKey,
    })
    say(`${made.test} ${made.connect} Orders are kept in ${storage}.`)
    const chosen = only === 'pictures' ? { pictures: takePictures } : stories
    for (const [name, story] of Object.entries(chosen)) {
      if (only !== undefined && !name.includes(only)) continue
      const context = await browser.newContext()
      const page = await context.newPage()
      page.setDefaultTimeout(120_000)
      try {
        await story({ house, url: made.url, product: made.product, page })
        say(`ok      ${name}`)
      } catch (error) {
        process.exitCode = 1
        await page.screenshot({ path: join(folder, 'failed.png'), fullPage: true })
        say(`FAILED  ${name} at ${page.url()}, see ${join(folder, 'failed.png')}\n${String(error)}`)
      }
      await context.close()
    }
  } finally {
    await worker.stop()
    await house.close()
  }
} finally {
  await browser.close()
  await postgres.remove()
}
