import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { axeSource, violations } from '../axe.ts'
import { openBrowser, type TestBrowser } from '../chromium.ts'
import { openHouse, type House } from '../house.ts'
import type { Visitor } from '../visitor.ts'

// Pages of the dashboard for people who can't see them, in the dark, and on the smallest phone. Each page is loaded once: in
// the dark only the contrast of its colours differs, and on a phone it has to fit.

export type Inspection = {
  house: House
  /** A browser with the session of somebody who signed in without one. */
  readonly openAs: (visitor?: Visitor) => Promise<BrowserContext>
  readonly inspectAll: (context: BrowserContext, paths: readonly string[]) => Promise<void>
}

const wide = { width: 1280, height: 800 }
const phone = { width: 320, height: 640 }
const pagesAtOnce = 2

/** A house and a browser for a test file; `house` is there from the first test on. */
export function openInspection(): Inspection {
  let browser: TestBrowser
  const inspection = { openAs, inspectAll } as Inspection
  // A script with an address is compiled once for all pages: as text it took a seventh of the time of each.
  const axeHeaders = { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }
  const axe = createServer((_, response) => response.writeHead(200, axeHeaders).end(axeSource))
  before(async () => {
    await once(axe.listen(0, '127.0.0.1'), 'listening')
    inspection.house = await openHouse({ settings: { SIGN_UP: 'on', RATE_LIMIT_BURST: '1000' } })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await inspection.house?.close()
    axe.close()
    axe.closeAllConnections()
  })

  async function openAs(visitor?: Visitor): Promise<BrowserContext> {
    // axe is a script of its own, which our content policy rightly refuses: hence bypassCSP.
    const context = await browser.newContext({
      bypassCSP: true,
      viewport: wide,
      baseURL: inspection.house.url,
    })
    const cookies = [...(visitor?.cookies ?? [])]
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: inspection.house.url })))
    return context
  }

  async function inspectAll(context: BrowserContext, paths: readonly string[]): Promise<void> {
    const axeUrl = `http://127.0.0.1:${(axe.address() as AddressInfo).port}`
    const left = [...paths]
    const inspectNext = async (): Promise<void> => {
      const page = await context.newPage()
      page.on('pageerror', (error) => assert.fail(error))
      for (let path = left.shift(); path !== undefined; path = left.shift())
        await inspect(page, path, { axeUrl, within: path === paths[0] ? 'html' : 'main' })
      await page.close()
    }
    await Promise.all(Array.from({ length: pagesAtOnce }, inspectNext))
  }
  return inspection
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Tables that are moved sideways, and figures that do not say what they are. */
const unfit = `[
  ...[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth),
  ...[...document.querySelectorAll('td:not(:first-child, .nothing)')].filter((one) =>
    ['none', '""', 'normal'].includes(getComputedStyle(one, '::before').content)),
].map((one) => one.outerHTML.slice(0, 200))`

/** `within`: what differs in the dark. Header and menu are the same on every page. */
async function inspect(
  page: Page,
  path: string,
  { axeUrl, within }: { readonly axeUrl: string; readonly within: 'html' | 'main' },
): Promise<void> {
  const answer = await page.goto(path, { waitUntil: 'domcontentloaded' })
  assert.match(answer?.headers()['content-type'] ?? '', /^text\/html/, path)
  await page.addScriptTag({ url: axeUrl })
  assert.deepEqual(await violations(page), [], path)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page, 'contrast', within), [], `${path} in the dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(phone)
  assert.equal(await page.evaluate(overflow), 0, `${path} on a phone`)
  assert.deepEqual(await page.evaluate(unfit), [], `tables of ${path} on a phone`)
  await page.setViewportSize(wide)
}
