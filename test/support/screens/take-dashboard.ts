import type { BrowserContext } from 'playwright-core'
import { createMerchant } from '../../../src/core/merchants/create-merchant.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { openBrowser } from '../chromium.ts'
import { pagesOf, type DashboardPage } from '../dashboard/pages-of.ts'
import { seedShop } from '../dashboard/seed-shop.ts'
import { freePort } from '../free-port.ts'
import { openHouse, type House } from '../house.ts'
import { startStoppablePostgres } from '../stoppable-postgres.ts'
import { signedIn, type Visitor } from '../visitor.ts'
import { openAlbum, type Album } from './album.ts'

// `npm run screens -- --dashboard`: every page of the dashboard, in a shop that has something of everything, and those that
// need nothing to be there once more in a shop that is new. `--only keys,payments` takes those whose name begins so.

export async function takeDashboard(only: readonly string[], widths: readonly number[]): Promise<void> {
  const postgres = await startStoppablePostgres()
  await migrate(postgres.url)
  const port = String(await freePort())
  const settings = {
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT_BURST: '1000',
    SIGN_UP: 'on',
  }
  const house = await openHouse({ databaseUrl: postgres.url, settings })
  const browser = await openBrowser()
  const album = openAlbum('screens-of-dashboard')
  const isChosen = ({ name }: DashboardPage): boolean =>
    only.length === 0 || only.some((start) => name.startsWith(start))
  try {
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      bypassCSP: true,
    })
    const shop = await seedShop(house)
    const { pages, without } = pagesOf(shop)
    await become(context, shop.visitor)
    const full = pages.filter(isChosen)
    for (const page of full) await takePage(context, album, house.url, page, widths)
    const newcomer = await seedNew(house)
    await become(context, newcomer.visitor)
    const empty = pagesOf(newcomer)
      .pages.map(({ name, path }) => ({ name: `new.${name}`, path }))
      .filter((page) => page.path.includes(newcomer.things.merchant) && isChosen(page))
    for (const page of empty) await takePage(context, album, house.url, page, widths)
    await context.clearCookies()
    const outside = ['sign-in', 'sign-up', 'forgotten', 'nothing']
      .map((name) => ({ name: `door.${name}`, path: `/dashboard/${name}` }))
      .filter(isChosen)
    for (const page of outside) await takePage(context, album, house.url, page, widths)
    for (const { name } of [...full, ...empty, ...outside])
      await album.writeSheet(browser, name, [`${name}-`])
    if (without.length > 0) process.stdout.write(`\nNot taken: ${without.join(' ')}\n`)
  } finally {
    await browser.close()
    await house.close()
    await postgres.remove()
  }
  album.tell()
}

async function seedNew(house: House) {
  const merchantId = await createMerchant(house.db, { name: 'A shop that is new' })
  const visitor = await signedIn(house, { role: 'owner', merchantId })
  return { visitor, things: { merchant: String(merchantId), mode: 'test' } }
}

async function become(context: BrowserContext, visitor: Visitor): Promise<void> {
  await context.clearCookies()
  const { url } = visitor.house
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })))
}

const sameInEveryRun = `for (const each of document.querySelectorAll('time')) each.textContent = '2 hours ago'`

async function takePage(
  context: BrowserContext,
  album: Album,
  url: string,
  { name, path }: DashboardPage,
  widths: readonly number[],
): Promise<void> {
  for (const width of widths) {
    const page = await context.newPage()
    await page.setViewportSize({ width, height: 800 })
    const answer = await page.goto(url + path).catch(() => undefined)
    // What is a file is no page.
    if (answer?.headers()['content-type']?.startsWith('text/html') === true) {
      await page.evaluate(sameInEveryRun)
      // Frames below the fold wait until somebody comes near.
      for (const frame of await page.locator('iframe').all()) await frame.scrollIntoViewIfNeeded()
      await page.waitForLoadState('networkidle')
      await album.take(page, `${name}-${width}`)
    }
    await page.close()
  }
  process.stdout.write(`${name} `)
}
