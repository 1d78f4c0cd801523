import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buttonOn, embeddingShop, payIn } from '../support/embedding-shop.ts'
import { call } from '../support/house.ts'
import { signedIn } from '../support/visitor.ts'

// The button of a payment link on somebody's static page, as the dashboard writes it.

const at = embeddingShop()
let made: Promise<{ readonly snippet: string; readonly address: string }> | undefined

/** Made once, by the first test that needs it. */
async function linkButton(): Promise<{ readonly snippet: string; readonly address: string }> {
  return (made ??= makeButton())
}

async function makeButton() {
  const owner = await signedIn(at.house, { role: 'owner' })
  const fields = { kind: 'reusable', title: 'Oak chair', amount: '12.34', currency: 'GBP' }
  const { to } = await owner.fill(`/dashboard/${at.house.merchantId}/test/links/new`, fields)
  // The test's server has a free port, which its base_url doesn't know.
  const snippet = buttonOn((await owner.get(to)).text).replaceAll('http://127.0.0.1:3000', at.house.url)
  const address = `${at.house.url}/link/${at.house.merchantId}${to.slice(-16)}`
  await at.allow([at.host], { url: address })
  return { snippet, address }
}

/** A page with nothing but the button. `policy` may name Florin as FLORIN. */
async function openPage(policy?: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { snippet } = await linkButton()
  const page = await at.browser.newPage(options)
  const body = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A static page</title>
    <a id="before" href="/elsewhere">Before</a> ${snippet} <a href="/elsewhere">After</a>`
  at.pages.set('/static.html', { body, policy: policy?.replaceAll('FLORIN', at.house.url) })
  await page.goto(`http://${at.host}/static.html`)
  return page
}

test('a customer pays with the button by keyboard, on a page with a strict policy, and is back where they were', async () => {
  const page = await openPage("default-src 'none'; script-src FLORIN; frame-src FLORIN")
  const button = page.getByRole('link', { name: 'Pay £12.34' })
  await button.focus()
  await page.keyboard.press('Enter')
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('First name').fill('Ada')
  await frame.getByLabel('E-mail address').fill('ada@example.com')
  await frame.getByRole('button', { name: 'Continue to payment' }).click()
  await payIn(frame)
  assert.equal(page.url(), `http://${at.host}/static.html`)
  await page.getByRole('button', { name: 'Close' }).press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  assert.equal(await page.evaluate("document.activeElement.matches('[data-florin]')"), true)
  await page.close()
})

test('the focus stays in the checkout while it is open, and Escape on the link’s page closes it', async () => {
  const page = await openPage()
  await page.getByRole('link', { name: 'Pay £12.34' }).click()
  const name = page.frameLocator('iframe').getByLabel('First name')
  await name.waitFor()
  for (let pressed = 0; pressed < 30; pressed += 1) {
    await page.keyboard.press('Tab')
    assert.notEqual(
      await page.evaluate("document.activeElement.closest('a') !== null"),
      true,
      `Tab ${pressed}`,
    )
  }
  await name.focus()
  await page.keyboard.down('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.close()
})

test('the checkout over a page fills the smallest phone and makes nothing wider', async () => {
  const page = await openPage(undefined, { viewport: { width: 320, height: 568 } })
  await page.getByRole('link', { name: 'Pay £12.34' }).click()
  await page.frameLocator('iframe').getByLabel('First name').waitFor()
  assert.deepEqual(await page.locator('dialog').boundingBox(), { x: 0, y: 0, width: 320, height: 568 })
  const inner = page.frames().find((each) => each !== page.mainFrame())
  for (const each of [page.mainFrame(), inner])
    assert.equal(await each?.evaluate('document.documentElement.scrollWidth'), 320)
  await page.close()
})

for (const [why, policy] of [
  ['a page whose policy has no room for the script', "default-src 'none'"],
  ['a page whose policy has no room for the frame', "default-src 'none'; script-src FLORIN"],
] as const)
  test(`the button on ${why} is a link to pay`, async () => {
    const page = await openPage(policy)
    await page.getByRole('link', { name: 'Pay £12.34' }).click()
    await page.waitForURL((await linkButton()).address)
    await page.close()
  })

test('the button without JavaScript is a link to pay', async () => {
  const page = await openPage(undefined, { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Pay £12.34' }).click()
  await page.waitForURL((await linkButton()).address)
  await page.close()
})

test('the button leaves a click with Control, for a new tab, to the browser', async () => {
  const page = await openPage()
  await page.waitForFunction('window.Florin')
  // Asked after the script, and kept from opening the tab: headless browsers don't always report it.
  await page.evaluate(`window.addEventListener('click', (event) => {
    window.taken = event.defaultPrevented
    event.preventDefault()
  })`)
  await page.getByRole('link', { name: 'Pay £12.34' }).click({ modifiers: ['Control'] })
  assert.equal(await page.evaluate('window.taken'), false)
  assert.equal(await page.locator('dialog').count(), 0)
  await page.close()
})

test('a link’s page may be framed by the hosts that its merchant named, and tells no other page anything', async () => {
  const { headers, text } = await call((await linkButton()).address)
  assert.match(
    headers.get('content-security-policy') ?? '',
    new RegExp(`frame-ancestors https://${at.host} http://${at.host};`),
  )
  assert.equal(headers.get('x-frame-options'), null)
  assert.match(text, /<meta name="florin-embed" content="[^"]*" data-screen="link"/)
  const lost = await call(`${at.house.url}/link/1`)
  assert.match(lost.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
})

test('the script of the button is under 3 kB on the wire', async () => {
  const { text } = await call(`${at.house.url}/checkout.js`)
  assert.ok(gzipSync(text).length < 3_000, `${gzipSync(text).length} bytes with gzip`)
  assert.ok(brotliCompressSync(text).length < 3_000)
  assert.ok(!text.includes('\n//') && !text.includes('\n '), 'comments and indentation travel')
})
