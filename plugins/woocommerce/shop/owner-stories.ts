import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeZip } from '../../../src/guide/collections/zip.ts'
import { changeBrand } from '../../../src/core/merchants/brand/change-brand.ts'
import { newPerson, Visitor } from '../../../test/support/visitor.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { buttonOn, payIn } from '../../../test/support/embedding-shop.ts'
import { call } from '../../../test/support/house.ts'
import { pluginFiles } from '../write-zip.ts'
import { atFlorin, cards, goToFlorin, isPaidPage, payWith, signIn, type Shop } from './shopper.ts'
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

/** Every field filled in wrongly once: each time the page says why, and keeps what was right. */
async function makeMistakes(shop: Shop): Promise<void> {
  const { page, house, url } = shop
  const field = (name: string) => page.locator(`#woocommerce_florin_${name}`)
  // WooCommerce lets nobody save before its scripts have seen a change.
  const save = () => Promise.all([page.waitForEvent('load'), page.locator('button[name=save]').click()])
  const refused = async (name: string, value: string, reason: string): Promise<void> => {
    const before = await field(name).inputValue()
    await field(name).fill(value)
    await save()
    await page.getByText(reason).waitFor()
    assert.equal(await field(name).inputValue(), before)
  }
  const testSays = async (text: string): Promise<void> => {
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByRole('status').getByText(text).waitFor()
  }
  const nextKey = house.secretKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  await signIn(shop)
  await openSettings(shop)
  await refused('base_url', 'my shop', '“my shop” is not an address')
  await refused('base_url', house.secretKey, '“sk_test_…” is not an address')
  await refused('test_key', house.liveKey, 'Test key: this key is for live mode.')
  await refused('test_key', house.secretKey.slice(0, -3), 'Test key: this key is not complete.')
  await refused('live_key', house.secretKey, 'Live key: this key is for test mode.')
  await refused('test_webhook_secret', 'whsec_abc', 'Webhook secret: enter all of it')
  await field('test_key').fill(nextKey)
  await testSays('Save your changes first.')
  await save()
  await testSays('Invalid secret key')
  await field('test_key').fill(house.secretKey)
  await field('base_url').fill(`${url}/`)
  await save()
  await testSays('Florin is not at this address')
  await field('base_url').fill('http://127.0.0.1:9')
  await save()
  await testSays('No answer from Florin')
  await field('base_url').fill(`  ${house.url}/dashboard/00000001/test  `)
  await save()
  assert.equal(await field('base_url').inputValue(), house.url)
  await testSays('Connected to Corner shop in test mode.')
  await field('live_key').fill('')
  await field('testmode').uncheck()
  await save()
  await testSays('Enter the address of Florin and a live key, and save.')
  await field('testmode').check()
  await save()
  await page.getByText('Your settings have been saved.').waitFor()
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

async function payElsewhere(shop: Shop): Promise<void> {
  await goToFlorin(shop, 'classic')
  const { id, tx_ref: txRef } = await order()
  await wordpress('pay-elsewhere', { id })
  assert.equal((await atFlorin(shop, txRef)).status, 'cancelled')
}

/** Florin takes no names with card numbers in them. */
async function sellOddName(shop: Shop): Promise<void> {
  await wordpress('rename', { name: 'Oak chair 4242 4242 4242 4242' })
  try {
    await goToFlorin(shop, 'classic')
  } finally {
    await wordpress('rename', { name: 'Oak chair' })
  }
  const { items, amount_minor: amount } = await atFlorin(shop, (await order()).tx_ref)
  assert.deepEqual([items, amount], [undefined, 1_234])
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
  const tidy = async (): Promise<void> => {
    await page.evaluate(
      "document.querySelectorAll('.notice, .updated, #screen-meta-links, #woocommerce-order-source-data').forEach((one) => one.remove())",
    )
  }
  await page.setViewportSize({ width: 1000, height: 1_080 })
  await page.goto(edit)
  await tidy()
  await page.screenshot({ path: picture('order') })
  await openSettings(shop)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText(/Connected to/).waitFor()
  // The addresses of an own shop and its Florin, and not of this trial.
  await page.locator('#woocommerce_florin_base_url').fill('https://pay.example.com')
  await page.evaluate(
    "document.querySelector('.description code').textContent = 'https://shop.example.com/?wc-api=florin'",
  )
  await tidy()
  await page.screenshot({ path: picture('settings') })
}

export const ownerStories: { readonly install: (shop: Shop) => Promise<void>; readonly others: Stories } = {
  install,
  others: {
    'the owner makes a mistake in each field': makeMistakes,
    'classic, paid another way: the page at Florin takes no money any more': payElsewhere,
    'classic, a name that Florin refuses costs the lines, not the sale': sellOddName,
    'the button of a payment link, pasted into a page': pasteButton,
    ...(process.argv[3] === 'pictures' && { pictures: takePictures }),
  },
}
