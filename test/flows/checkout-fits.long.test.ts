import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { request } from 'undici'
import { displayMoney, languages } from '../../src/core/checkout/language.ts'
import { amountLine } from '../../src/core/checkout/parts/summary.ts'
import { currencyCodes, decimalsOf } from '../../src/platform/money/currencies.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { newLink, putInState, takePicture } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'

// Long amounts, long names, large e-mails and the system's own colours.

let house: House
let browser: TestBrowser
let page: Page
before(async () => {
  house = await openHouse()
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-GB', bypassCSP: true, viewport: { width: 320, height: 640 } })
})
after(async () => {
  await browser.close()
  await house.close()
})

const order = { return_url: 'https://shop.example/thanks', customization: { title: 'Two walnut chairs' } }

/** The longest amounts there are, as each language writes them. */
function longestAmounts(): { what: string; drawn: string }[] {
  return languages.flatMap((language) =>
    currencyCodes.flatMap((code) =>
      ['1234567', '999999999'].map((major) => {
        const minor = BigInt(major + '9'.repeat(decimalsOf(code) ?? 0))
        const amount = displayMoney(minor, code, language)
        return {
          what: `${language.code} ${amount}`,
          drawn: amountLine({ amount, language }).text,
        }
      }),
    ),
  )
}

test('the longest amount in every currency fits a small phone, on the form and the receipt', async () => {
  for (const state of ['pending', 'success'] as const) {
    const link = await newLink(house, order)
    if (state === 'success') await putInState(house, link, state, { state: 'succeeded' })
    await page.goto(link.url)
    const spilled = await page.evaluate<string[]>(`${JSON.stringify(longestAmounts())}.filter(({ drawn }) => {
      const place = document.querySelector('.amount')
      place.insertAdjacentHTML('beforebegin', drawn)
      const line = place.previousElementSibling
      place.remove()
      const fontSize = parseFloat(getComputedStyle(line).fontSize)
      return line.scrollWidth > line.clientWidth || line.clientHeight > 1.7 * fontSize
    }).map(({ what }) => what)`)
    assert.deepEqual(spilled, [], state)
  }
})

test('text twice as large makes the page longer, not wider', async () => {
  const link = await newLink(house, order)
  for (const width of [640, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(link.url)
    const height = await page
      .locator('.go')
      .first()
      .evaluate((each: { clientHeight: number }) => each.clientHeight)
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    const larger = await page
      .locator('.go')
      .first()
      .evaluate((each: { clientHeight: number }) => each.clientHeight)
    assert.ok(larger > 1.8 * height, `${larger} after ${height}`)
    await takePicture(page, `large-letters-${width}`)
    if (width === 640) assert.equal(await overflow(), 0)
  }
})

test('on a phone a long name is below the logo with the full width', async () => {
  const name = 'The Very Old Bookshop and Stationers of Upper Slaughter'
  const merchant = await createMerchant(house.db, { name })
  const { key } = await createKey(house.db, merchant, { kind: 'secret', mode: 'test', name: 'test' })
  const link = await newLink(house, { customization: { logo: 'https://pictures.example/logo.png' } }, key)
  const square =
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"><path d="M0 0h96v48H0z"/></svg>'
  await page.route('**/logo', (route) => route.fulfill({ contentType: 'image/svg+xml', body: square }))
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(link.url)
  const logo = await page.locator('.logo').boundingBox()
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  assert.ok(logo && heading && heading.y >= logo.y + logo.height, 'below')
  assert.equal(heading.x, logo.x)
  await takePicture(page, 'long-name-below-logo')
  await page.unrouteAll()
})

test('in forced colours every button and field keeps its border, and the focus is visible', async () => {
  const link = await newLink(house, order)
  await page.emulateMedia({ forcedColors: 'active' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(link.url)
  await page.locator('#expiry').focus()
  await takePicture(page, 'forced-colours')
  const lines = await page.evaluate<string[]>(`[
    getComputedStyle(document.querySelector('.go')).borderTopWidth,
    getComputedStyle(document.querySelector('.joined')).borderTopWidth,
    getComputedStyle(document.querySelector('.cell:has(#expiry)')).outlineWidth,
  ]`)
  assert.deepEqual(lines, ['2px', '1px', '3px'])
  await page.emulateMedia({ forcedColors: 'none' })
})

test('the page has its own icon inline, and fetches none', async () => {
  const link = await newLink(house, order)
  await page.goto(link.url)
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  const size = await page.evaluate<number>(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(icon)}
    await image.decode()
    return image.naturalWidth
  })()`)
  assert.ok(size > 0)
})

test('the page, its script and its style load in less than 14 kB', async () => {
  const link = await newLink(house, order)
  const headers = { 'accept-encoding': 'br' }
  const sizes: number[] = []
  const sizeOf = async (path: string): Promise<string> => {
    const { body } = await request(house.url + path, { headers })
    const bytes = Buffer.from(await body.arrayBuffer())
    sizes.push(bytes.length)
    return brotliDecompressSync(bytes).toString()
  }
  const text = await sizeOf(`/payment/${link.digits}`)
  await sizeOf(/src="([^"]+\.js)"/.exec(text)?.[1] ?? '')
  await sizeOf(/href="([^"]+\.css)"/.exec(text)?.[1] ?? '')
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 14_000, sizes.join(' and '))
})

async function overflow(): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
