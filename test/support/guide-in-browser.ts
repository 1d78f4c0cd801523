import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { violations } from './axe.ts'
import { openBrowser, type TestBrowser } from './chromium.ts'
import { freePort } from './free-port.ts'
import { openHouse, type House } from './house.ts'

// The guide at /docs in a real browser.

export type Guide = {
  house: House
  browser: TestBrowser
  /** Opens a chapter, such as '/payments'; an error on the page fails the test. */
  readonly visit: (chapter: string, options?: BrowserContextOptions) => Promise<Page>
  /** axe in light and dark, and whether it fits the smallest phone. */
  readonly inspect: (chapter: string) => Promise<void>
}

export const phone = { width: 320, height: 640 }
const wide = { width: 1280, height: 900 }
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Its house and browser are there from the first test on. */
export function openGuide(): Guide {
  const guide = { visit, inspect } as Guide
  before(async () => {
    const port = String(await freePort())
    guide.house = await openHouse({ settings: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } })
    guide.browser = await openBrowser()
  })
  after(async () => {
    await guide.browser?.close()
    await guide.house?.close()
  })

  async function visit(chapter: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await guide.browser.newContext({ viewport: wide, ...options })
    const page = await context.newPage()
    page.on('pageerror', (error) => assert.fail(error))
    page.on('console', (message) => assert.notEqual(message.type(), 'error', message.text()))
    const answer = await page.goto(`${guide.house.url}/docs${chapter}`)
    assert.equal(answer?.status(), 200, chapter)
    return page
  }

  async function inspect(chapter: string): Promise<void> {
    const page = await visit(chapter, { bypassCSP: true })
    assert.deepEqual(await violations(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    // Header and menu are the same in every chapter.
    assert.deepEqual(await violations(page, 'contrast', chapter === '' ? 'html' : 'main'), [])
    await page.setViewportSize(phone)
    assert.equal(await page.evaluate(overflow), 0)
    assert.deepEqual(await violations(page, 'all but contrast'), [])
    await page.context().close()
  }
  return guide
}
