import { parseArgs } from 'node:util'
import type { BrowserContext } from 'playwright-core'
import { renderSVG } from 'uqr'
import { makeTestBank } from '../../../src/connectors/test-bank/bank.ts'
import { Database } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { enableCurrency } from '../../../src/merchants/create-merchant.ts'
import { openBrowser } from '../chromium.ts'
import { accountsInMemory, asLive, liveAccount } from '../hosted-choice.ts'
import { openHouse, type House } from '../house.ts'
import { startStoppablePostgres } from '../stoppable-postgres.ts'
import { openAlbum, type Album } from './album.ts'
import { scenes, type Scene } from './scenes.ts'
import { takeDashboard } from './take-dashboard.ts'

// `npm run screens`: a picture of every screen of the checkout in artefacts/screens/now, beside those of the run before, with
// what differs in red. `--only pay,paid`, `--languages en,de,ar` and `--widths 320,390,1280` take some of them. With
// `--dashboard` it is the pages of the dashboard instead, in artefacts/screens-of-dashboard.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,de,ar' },
    widths: { type: 'string' },
    dashboard: { type: 'boolean', default: false },
  },
})

const languages = values.languages.split(',')
const only = values.only.split(',').filter(Boolean)
const widthsOr = (usual: string): number[] => (values.widths ?? usual).split(',').map(Number)
const widths = widthsOr('320,390,1280')
const chosen = Object.entries(scenes).filter(([name]) => only.length === 0 || only.includes(name))

async function main(): Promise<void> {
  const album = openAlbum('screens')
  const postgres = await startStoppablePostgres()
  await migrate(postgres.url)
  const { house, close } = await openScreensHouse(postgres.url)
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      bypassCSP: true,
    })
    // Each payment has a code of its own, and every run new payments.
    const code = renderSVG('https://pay.example/payment/1', { ecc: 'M', border: 4 })
    await context.route('**/qr.svg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: code }))
    for (const [name, scene] of chosen) await takeScene(context, house, album, name, scene)
    for (const [name] of chosen)
      await album.writeSheet(
        browser,
        name,
        languages.map((language) => `${name}-${language}-`),
      )
  } finally {
    await browser.close()
    await close()
    await postgres.remove()
  }
  album.tell()
}

/** With a live network, so that there is something to choose. */
async function openScreensHouse(databaseUrl: string): Promise<{ house: House; close: () => Promise<void> }> {
  const db = new Database(databaseUrl)
  const bank = asLive(
    makeTestBank(db, 'http://localhost:9', () => new Date()),
    'Stand-in',
    { methods: () => ['card', 'bank'] },
  )
  const accounts = accountsInMemory([liveAccount('Stand-in')])
  const settings = { MISS_LIMIT_PER_SECOND: '1000' }
  const house = await openHouse({ databaseUrl, settings, world: { connectors: [bank], accounts } })
  await enableCurrency(house.db, house.merchantId, 'KWD')
  const close = async (): Promise<void> => {
    await house.close()
    await db.close()
  }
  return { house, close }
}

async function takeScene(
  context: BrowserContext,
  house: House,
  album: Album,
  name: string,
  scene: Scene,
): Promise<void> {
  for (const language of languages) {
    for (const width of widths) {
      const page = await context.newPage()
      await page.setViewportSize({ width, height: 800 })
      // Nothing counts down or asks again between two pictures.
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 1_000)
      const url = new URL(await scene.prepare(house))
      url.searchParams.set('lang', language)
      await page.goto(url.href)
      await scene.act?.(page, house)
      await page.evaluate(sameInEveryRun)
      await album.take(page, `${name}-${language}-${width}`)
      await page.close()
    }
  }
  process.stdout.write(`${name} `)
}

const sameInEveryRun = `
  for (const each of document.querySelectorAll('time')) each.textContent = '15 November 2026, 14:05'
  for (const each of document.querySelectorAll('dd bdi')) {
    if (/^[A-Z0-9]{12,}$|^order-/.test(each.textContent)) each.textContent = 'order-1001'
  }`

await (values.dashboard ? takeDashboard(only, widthsOr('320,1280')) : main())
