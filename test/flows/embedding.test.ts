import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { giveBrand } from '../support/branded.ts'
import { newLink, stateOf, takePicture } from '../support/customer.ts'
import { embeddingShop, fillInTestCard, payIn, told } from '../support/embedding-shop.ts'
import { call } from '../support/house.ts'
import { waitUntil } from '../support/wait-until.ts'

// The checkout over a shop's page, which lives on another site.

const at = embeddingShop()

test('only hosts the merchant named may frame a page', async () => {
  const link = await newLink(at.house)
  const alone = await call(link.url)
  assert.match(alone.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(alone.headers.get('x-frame-options'), 'DENY')
  assert.equal(alone.headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.ok(!alone.text.includes('florin-embed'))
  await at.allow(['shop.example.com', 'localhost:8080'], link)
  const { headers, text } = await call(link.url)
  assert.match(
    headers.get('content-security-policy') ?? '',
    /frame-ancestors https:\/\/shop\.example\.com https:\/\/localhost:8080 http:\/\/localhost:8080;/,
  )
  assert.equal(headers.get('x-frame-options'), null)
  assert.match(text, /<meta name="florin-embed" content="https:\/\/shop\.example\.com /)
  const lost = await call(`${at.house.url}/payment/1`)
  assert.match(lost.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
})

test('a frame closed before paying says so, and Escape closes it', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  // By our script, which hears the key where the frame has the focus.
  await page.frameLocator('iframe').locator('[data-card] button').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await waitUntil('the shop hears of it', async () => (await told(page)).length > 0)
  assert.deepEqual(await told(page), ['close pending'])
  await page.close()
})

/** The key is not let go: the place where it was pressed may be gone by then. */
async function escapeFrom(page: Page, element: Locator): Promise<void> {
  await element.focus()
  await page.keyboard.down('Escape')
}

test('Escape closes the frame while a card is being typed, and the focus returns', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  const frame = page.frameLocator('iframe')
  await frame.locator('[data-card] button').first().waitFor({ state: 'attached' })
  const number = frame.locator('#number')
  await number.fill('4242')
  await escapeFrom(page, number)
  await waitUntil('the shop hears of it', async () => (await told(page)).length > 0)
  assert.deepEqual(await told(page), ['close pending'])
  assert.equal(await page.locator('iframe').count(), 0)
  assert.equal(await page.evaluate('document.activeElement.id'), 'go')
  await page.close()
})

test('Escape closes nothing while a payment is in progress', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  const answered = Promise.withResolvers<void>()
  await page.route('**/payment/*/pay', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.locator('#go').click()
  const frame = page.frameLocator('iframe')
  await fillInTestCard(frame)
  const pay = frame.locator('form[data-pay] .go')
  await pay.click()
  await pay.press('Escape')
  await page.getByRole('button', { name: 'Fermer' }).press('Escape')
  answered.resolve()
  await frame.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
  assert.equal(await stateOf(at.house, link), 'success')
  await frame.locator('#print:not([hidden])').waitFor()
  await escapeFrom(page, frame.locator('#print'))
  await waitUntil('the shop hears of the end', async () => (await told(page)).includes('close success'))
  await page.close()
})

test('a message from a stranger doesn’t close the frame', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  await page.frameLocator('iframe').locator('form[data-pay] .go').waitFor()
  await page.evaluate("window.postMessage({ source: 'florin', type: 'close' }, '*')")
  await page.evaluate('new Promise((done) => setTimeout(done))')
  assert.equal(await page.locator('iframe').count(), 1)
  assert.deepEqual(await told(page), [])
  await page.close()
})

type Box = { x: number; y: number; width: number; height: number }

/** Where its e-mails or its picture are, in the window; not the padding around them. */
async function boxOfContent(page: Page, selector: string): Promise<Box> {
  const frame = page.frames().find((each) => each !== page.mainFrame())
  const box = await frame?.evaluate<Box>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    const range = document.createRange()
    range.selectNodeContents(element)
    return (element.tagName === 'IMG' ? element : range).getBoundingClientRect().toJSON()
  })()`)
  const around = await page.locator('iframe').boundingBox()
  if (!box || !around) throw new Error(`There is no ${selector}`)
  return { ...box, x: box.x + around.x, y: box.y + around.y }
}

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x
  const isAbove = one.y + one.height <= other.y || other.y + other.height <= one.y
  return !isBeside && !isAbove
}

for (const { lang, width } of [
  { lang: 'ar', width: 1000 },
  { lang: 'ar', width: 320 },
  { lang: 'de', width: 320 },
]) {
  test(`the close button overlaps nothing in ${lang} at ${width} pixels`, async () => {
    await giveBrand(at.house)
    const link = await newLink(at.house)
    await at.allow([at.host], link)
    const page = await at.openShop({ ...link, url: `${link.url}?lang=${lang}` }, 'frame')
    await page.setViewportSize({ width, height: 700 })
    await page.locator('#go').click()
    await page.frameLocator('iframe').locator('form[data-pay] .go').waitFor()
    const close = page.getByRole('button', { name: 'Fermer' })
    const wanted = lang === 'ar' ? 'left' : 'right'
    await waitUntil(`it stands on the ${wanted}`, async () => {
      const [button, dialog] = [await close.boundingBox(), await page.locator('dialog').boundingBox()]
      if (!button || !dialog) return false
      return button.x + button.width / 2 < dialog.x + dialog.width / 2 === (wanted === 'left')
    })
    await takePicture(page, `embedded-${lang}-${width}`)
    const button = await close.boundingBox()
    for (const under of ['.logo', '#merchant', '.test-banner p']) {
      const box = await boxOfContent(page, under)
      assert.ok(button && !overlap(button, box), `${under}: ${JSON.stringify([button, box])}`)
    }
    await page.close()
  })
}

test('on an unlisted host the checkout opens as a full page', async () => {
  const link = await newLink(at.house)
  await at.allow(['other.example'], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  await page.waitForURL(link.url)
  await payIn(page)
  await page.close()
})

test('a customer pays in a pop-up, and the shop hears of it', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'popup')
  const [popUp] = await Promise.all([page.waitForEvent('popup'), page.locator('#go').click()])
  await payIn(popUp)
  await waitUntil('the shop hears of it', async () => (await told(page)).includes('success success'))
  await popUp.close()
  await waitUntil('the shop hears of the end', async () => (await told(page)).includes('close success'))
  await page.close()
})

test('a message that isn’t from the frame is ignored', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  await page.frameLocator('iframe').locator('form[data-pay] .go').waitFor()
  await page.evaluate("window.postMessage({ source: 'florin', type: 'state', screen: 'paid' }, '*')")
  await page.evaluate('new Promise((done) => setTimeout(done))')
  assert.deepEqual(await told(page), [])
  await page.close()
})

test('a method on a network’s own page leaves the frame', async () => {
  const link = await newLink(at.house)
  await at.allow([at.host], link)
  const page = await at.openShop(link, 'frame')
  await page.locator('#go').click()
  // By BASE_URL, where the test bank believes it lives; nobody answers there.
  const asking = page.waitForRequest(/^http:\/\/127\.0\.0\.1:3000\//)
  await page.frameLocator('iframe').locator('form[action*="/choose"] button').click()
  assert.ok((await asking).isNavigationRequest() && (await asking).frame() === page.mainFrame())
  await page.close()
})

test('the script for shops can be loaded from any site, and its headers say so', async () => {
  const { status, headers, text } = await call(`${at.house.url}/checkout.js`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(headers.get('cache-control'), 'public, max-age=300')
  assert.match(text, /window\.Florin = \{ open: openCheckout \}/)
})
