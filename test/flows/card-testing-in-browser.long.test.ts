import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { violations } from '../support/axe.ts'
import { openBrowser, type TestBrowser } from '../support/chromium.ts'
import { makeStillClock, type Clock } from '../support/clock.ts'
import { goodCard, newLink, takePicture, typeCard, type Link } from '../support/customer.ts'
import { openHouse, type House } from '../support/house.ts'
import { believesProxy, declining, tryCard } from '../support/stranger.ts'

// What a customer sees who has to wait, and whose shop is under attack.

const home = '192.0.2.1'

let clock: Clock
let house: House
let shop: House
let browser: TestBrowser
let context: BrowserContext
let page: Page

before(async () => {
  clock = makeStillClock()
  const settings = { ...believesProxy, CARD_TESTING_ATTACK_DECLINES: '12' }
  house = await openHouse({ settings, world: { now: clock.now } })
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await house.close()
})
beforeEach(async () => {
  const merchantId = await createMerchant(house.db, { name: 'Corner shop' })
  const { key } = await createKey(house.db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  shop = { ...house, merchantId, secretKey: key }
  await openContext()
})
afterEach(() => context.close())

async function openContext(options: BrowserContextOptions = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    extraHTTPHeaders: { 'x-forwarded-for': home },
    ...options,
  })
  page = await context.newPage()
}

async function declineFiveTimes(link: Link): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    await tryCard(shop, link, { from: home, number: declining[count % 4] ?? '' })
  }
}

async function attack(): Promise<void> {
  for (let count = 0; count < 12; count += 1) {
    const number = declining[count % 4] ?? ''
    await tryCard(shop, await newLink(shop), { from: `198.51.100.${count}`, number })
  }
}

const button = () => page.locator('[data-pay] button.go')

test('the button is disabled until the wait is over, and shows how long that is', async () => {
  const link = await newLink(shop)
  await declineFiveTimes(link)
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.goto(link.url)
  await page.getByText('You can try again in 5 seconds.').waitFor()
  assert.equal(await button().isDisabled(), true)
  assert.match(await button().innerText(), /^Pay £1,234\.50 · 0:05$/)
  await page.clock.runFor(6_000)
  clock.jump(6_000)
  await page.getByText('You can try again now.').waitFor()
  assert.equal(await button().innerText(), 'Pay £1,234.50')
  await typeCard(page, goodCard)
  await button().click()
  await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
})

test('while the shop is under attack the script finds the proof, and the customer notices nothing', async () => {
  await attack()
  const link = await newLink(shop)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await button().click()
  await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
})

test('pressing before the proof is found sends the form once it is', async () => {
  await attack()
  const link = await newLink(shop)
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  // With the page's clock at rest the search rests too, after its first slice.
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await button().click()
  await page.clock.resume()
  await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
})

test('without a script the page says when to press again, and then it works', async () => {
  await attack()
  await openContext({ javaScriptEnabled: false })
  const link = await newLink(shop)
  await page.goto(link.url)
  await typeCard(page, goodCard)
  await button().click()
  await page.getByRole('heading', { name: 'Please try again in a moment' }).waitFor()
  await page.getByText('Nothing is wrong with your card.').waitFor()
  assert.equal(await page.getByLabel('Name on card').inputValue(), 'Ada Lovelace')
  assert.equal(await page.getByLabel('Card number').inputValue(), '')
  await takePicture(page, 'pause-without-script')
  clock.jump(20_000)
  await typeCard(page, goodCard)
  await button().click()
  await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
})

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  wide: {},
  small: { viewport: { width: 320, height: 640 } },
  dark: { colorScheme: 'dark' },
  arabic: { locale: 'ar', viewport: { width: 390, height: 800 } },
}

test('both pages are accessible and fit every screen', async () => {
  await attack()
  const paused = await newLink(shop)
  const link = await newLink(shop)
  for (const [name, options] of Object.entries(looks)) {
    for (const kind of ['wait', 'pause'] as const) {
      if (kind === 'wait') {
        await openContext({ ...options, bypassCSP: true })
        await tryCard(shop, link, { from: home })
        await declineFiveTimesUnderAttack(link)
        await page.goto(link.url)
      } else {
        await openContext({
          ...options,
          extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${name.length + 10}` },
        })
        await page.route('**/*.js', (route) => route.abort())
        await page.goto(paused.url)
        await page.locator('#number').fill(goodCard)
        await page.locator('#expiry').fill('12/34')
        await page.locator('#cvc').fill('123')
        await page.locator('#name').fill('Ada Lovelace')
        await button().click()
      }
      await page.locator('#wait-line').waitFor()
      await takePicture(page, `${kind}-${name}`)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(overflow) <= 0, `${kind}-${name} is too wide by ${Number(overflow)}`)
      if (kind === 'wait') assert.deepEqual(await violations(page), [], `${kind}-${name}`)
    }
  }
})

/** With proofs of age, as there is an attack. */
async function declineFiveTimesUnderAttack(link: Link): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    const answer = await page.request.get(link.url)
    const proof = /name="proof" value="([^"]*)"/.exec(await answer.text())?.[1] ?? ''
    clock.jump(20_000)
    await tryCard(shop, link, { from: home, number: declining[count] ?? '', fields: { proof, nonce: '' } })
  }
}
