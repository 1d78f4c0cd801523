import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { changeBrand } from '../../src/core/merchants/brand/change-brand.ts'
import { openBrowser, type TestBrowser } from './chromium.ts'
import type { Link } from './customer.ts'
import { call, openHouse, type House } from './house.ts'
import { waitUntil } from './wait-until.ts'

// A shop on another site, whose page opens the checkout over itself and writes down what it is told.

export type EmbeddingShop = {
  house: House
  browser: TestBrowser
  host: string
  /** What it serves besides, by path. A page that Playwright makes up may not load anything from this machine. */
  readonly pages: Map<string, { readonly body: string; readonly policy?: string | undefined }>
  /** Names the hosts that may embed the checkout, and waits until the server knows them. */
  readonly allow: (hosts: readonly string[], link: Pick<Link, 'url'>) => Promise<void>
  /** The shop's page, ready to open the checkout at the press of its button. `stays`: it keeps the customer after paying. */
  readonly openShop: (link: Link, mode: 'frame' | 'popup', stays?: boolean) => Promise<Page>
}

/** Its fields are there from the first test on. */
export function embeddingShop(): EmbeddingShop {
  const shop = { allow, openShop, pages: new Map() } as unknown as EmbeddingShop
  let server: Server
  before(async () => {
    shop.house = await openHouse()
    shop.browser = await openBrowser()
    server = createServer(({ url = '' }, response) => {
      const { body = shopPage(shop.house.url), policy } = shop.pages.get(url) ?? {}
      const headers = policy === undefined ? {} : { 'content-security-policy': policy }
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      response.end(body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // Another site than 127.0.0.1, where Florin is.
    shop.host = `localhost:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await shop.browser.close()
    server.closeAllConnections()
    server.close()
    await shop.house.close()
  })

  async function allow(hosts: readonly string[], link: Pick<Link, 'url'>): Promise<void> {
    await changeBrand(shop.house.db, shop.house.merchantId, { embedHosts: hosts })
    await waitUntil('the server has heard of the hosts', async () => {
      const policy = (await call(link.url)).headers.get('content-security-policy') ?? ''
      return hosts.length === 0
        ? policy.includes("frame-ancestors 'none'")
        : policy.includes(`https://${hosts.at(-1)}`)
    })
  }

  async function openShop(link: Link, mode: 'frame' | 'popup', stays = false): Promise<Page> {
    const page = await shop.browser.newPage()
    await page.goto(`http://${shop.host}/`)
    await page.evaluate(
      `document.getElementById('go').addEventListener('click', () => go(${JSON.stringify(link.url)}, '${mode}', ${stays}))`,
    )
    return page
  }

  return shop
}

function shopPage(florinUrl: string): string {
  return `<!doctype html><html lang="fr"><title>A shop</title><script src="${florinUrl}/checkout.js"></script>
    <script>
      window.told = []
      const go = (checkout_url, mode, stays) => {
        window.opened = Florin.open({ checkout_url, mode,
          onSuccess: ({ status }) => { told.push('success ' + status); return !stays },
          onClose: ({ status }) => told.push('close ' + status) })
      }
    </script><button id="go">Pay</button>`
}

/** The HTML of a link's button, as an owner copies it from the dashboard's page of the link. */
export function buttonOn(page: string): string {
  const code = /id="button-html"[^>]*><code>([^]*?)<\/code>/.exec(page)?.[1] ?? ''
  return code
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

export async function fillInTestCard(place: Page | FrameLocator): Promise<void> {
  const button = place.locator('[data-card] button').first()
  await button.waitFor({ state: 'attached' }) // by the script, which then folds them where there is little room
  if (!(await button.isVisible())) await place.locator('details.test-cards summary').click()
  await button.click()
}

export async function pressPay(place: Page | FrameLocator): Promise<void> {
  await fillInTestCard(place)
  await place.locator('form[data-pay] .go').click()
}

export async function payIn(place: Page | FrameLocator): Promise<void> {
  await pressPay(place)
  await place.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
}

export async function told(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('window.told')
}
