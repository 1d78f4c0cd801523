import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bySystem } from '../../../src/core/audit/audit.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { fillDemo } from '../../../src/modules/demo/fill.ts'
import { openBrowser, type TestBrowser } from '../chromium.ts'
import { newLink } from '../customer.ts'
import { freePort } from '../free-port.ts'
import { openHouse } from '../house.ts'
import { startStoppablePostgres } from '../stoppable-postgres.ts'
import { signedIn, type Visitor } from '../visitor.ts'

// `npm run screens -- --readme`: the two pictures of the README, light and dark, in docs/pictures.

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
/** The README shows them smaller; at full size they would be twice as large in git. */
const scale = 0.75

const order = {
  amount: '340.00',
  customization: { title: 'Two walnut chairs', description: 'Delivered on Thursday.' },
}

export async function takeReadme(): Promise<void> {
  const postgres = await startStoppablePostgres()
  await migrate(postgres.url)
  const port = String(await freePort())
  const settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, RATE_LIMIT_BURST: '1000' }
  const house = await openHouse({ databaseUrl: postgres.url, settings })
  const browser = await openBrowser()
  mkdirSync(folder, { recursive: true })
  try {
    const asked = { seed: 1, now: new Date(), baseUrl: house.url, by: bySystem }
    const { merchantId } = await fillDemo(house.db, asked)
    const visitor = await signedIn(house, { role: 'owner', merchantId })
    const { url } = await newLink(house, order)
    await take(browser, { name: 'checkout', url, width: 390, height: 740 })
    const path = `/dashboard/${merchantId}/test`
    // Its first look still shows what the visitor did last.
    await visitor.get(path)
    const home = house.url + path
    await take(browser, { name: 'dashboard', url: home, width: 1280, height: 960, visitor })
  } finally {
    await browser.close()
    await house.close()
    await postgres.remove()
  }
}

type Shot = {
  readonly name: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly visitor?: Visitor
}

async function take(browser: TestBrowser, { name, url, width, height, visitor }: Shot): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width, height },
      deviceScaleFactor: scale,
      colorScheme,
    })
    await context.addCookies(
      [...(visitor?.cookies ?? [])].map(([cookie, value]) => ({ name: cookie, value, url })),
    )
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `${folder}${name}-${colorScheme}.png`, animations: 'disabled' })
    await context.close()
  }
}
