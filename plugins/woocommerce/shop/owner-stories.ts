import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeZip } from '../../../src/reference/collections/zip.ts'
import { changeBrand } from '../../../src/merchants/brand/change-brand.ts'
import { newPerson, Visitor } from '../../../test/support/visitor.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { buttonOn, payIn } from '../../../test/support/embedding-shop.ts'
import { call } from '../../../test/support/house.ts'
import { pluginFiles } from '../write-zip.ts'
import { cards, goToFlorin, isPaidPage, payWith, signIn, type Shop } from './shopper.ts'
import type { Stories } from './stories.ts'
import { folder, order, wordpress } from './wordpress.ts'

// What owners do: install, connect, put a button on a page. `npm run shops -- FOLDER pictures` takes the pictures for the docs on the way.

const picture = (name: string): string =>
  fileURLToPath(new URL(`../../../docs/pictures/woocommerce-${name}.png`, import.meta.url))

/** As in docs/woocommerce.md, from the first line on. */
async function install(shop: Shop): Promise<void> {
  const { page, url, house } = shop
  await wordpress('forget')
  rmSync(join(folder, 'wordpress/wp-content/plugins/florin-payments'), { recursive: true, force: true })
  const zip = join(folder, 'florin-payments.zip')
  writeFileSync(zip, makeZip(pluginFiles()))
  await signIn(shop)
  await page.goto(`${url}/wp-admin/plugin-install.php?tab=upload`)
  await page.locator('#pluginzip').setInputFiles(zip)
  await page.locator('#install-plugin-submit').click()
  await page.getByText('Plugin installed successfully.').waitFor()
  await page.getByRole('link', { name: 'Activate Plugin' }).click()
  await page.getByText('Plugin activated.').first().waitFor()
  await openSettings(shop)
  await page.locator('#woocommerce_florin_enabled').check()
  await page.locator('#woocommerce_florin_base_url').fill(house.url)
  await page.locator('#woocommerce_florin_test_key').fill(house.secretKey)
  await page.locator('button[name=save]').click()
  await page.getByText('Your settings have been saved.').waitFor()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('Connected to Corner shop in test mode.').waitFor()
  await page.getByRole('button', { name: 'Connect notifications' }).click()
  await page.getByRole('status').getByText('Notifications are connected.').waitFor()
}

async function openSettings({ page, url }: Shop): Promise<void> {
  await page.goto(`${url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=florin`)
}

/** The button of a payment link, pasted into a page of WordPress. */
async function pasteButton(shop: Shop): Promise<void> {
  const { page, house, url } = shop
  const owner = new Visitor(house)
  await owner.signIn(await newPerson(house, { role: 'owner' }))
  const fields = { kind: 'reusable', title: 'Oak chair', amount: '12.34', currency: 'GBP' }
  const made = await owner.fill(`/dashboard/${house.merchantId}/test/links/new`, fields)
  const html = buttonOn((await owner.get(made.to)).text)
  await changeBrand(house.db, house.merchantId, { embedHosts: [new URL(url).host] })
  const link = `${house.url}/link/${house.merchantId}${made.to.slice(-16)}`
  await waitUntil('Florin knows the shop’s host', async () =>
    ((await call(link)).headers.get('content-security-policy') ?? '').includes(new URL(url).host),
  )
  await page.goto(await wordpress<string>('page', { html }))
  const address = page.url()
  await page.getByRole('link', { name: 'Pay £12.34' }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('First name').fill('Ada')
  await frame.getByLabel('E-mail address').fill('ada@example.com')
  await frame.getByRole('button', { name: 'Continue to payment' }).click()
  await payIn(frame)
  assert.equal(page.url(), address)
}

/** For docs/woocommerce.md. */
async function takePictures(shop: Shop): Promise<void> {
  const { page, url } = shop
  await page.setViewportSize({ width: 1000, height: 700 })
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
  await page.setViewportSize({ width: 1000, height: 1_080 })
  await openSettings(shop)
  // The address of an own Florin, and not of this trial.
  await page.locator('#woocommerce_florin_base_url').fill('https://pay.example.com')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText(/Connected to/).waitFor()
  await page.evaluate(
    "document.querySelectorAll('.notice, #screen-meta-links').forEach((one) => one.remove())",
  )
  await page.screenshot({ path: picture('settings') })
}

export const ownerStories: { readonly install: (shop: Shop) => Promise<void>; readonly others: Stories } = {
  install,
  others: {
    'the button of a payment link, pasted into a page': pasteButton,
    ...(process.argv[3] === 'pictures' && { pictures: takePictures }),
  },
}
