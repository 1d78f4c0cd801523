import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { renderSVG } from 'uqr'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { openBrowser, type TestBrowser } from '../chromium.ts'
import { startStoppablePostgres } from '../stoppable-postgres.ts'
import { script } from '../../../src/core/checkout/assets/assets.ts'
import { openAlbum, type Album } from './album.ts'
import { openScreensHouse, type ScreensHouse } from './house-of-screens.ts'
import { scenes, type Scene } from './scenes.ts'
import { takeDashboard } from './take-dashboard.ts'
import { takeReadme } from './take-readme.ts'

// `npm run screens`: a picture of every screen of the checkout in artefacts/screens/now, beside those of the run before, with
// what differs in red. `--only pay,paid`, `--languages en,de,ar` and `--widths 320,390,1280` take some of them. With
// `--dashboard` it is the pages of the dashboard instead, in artefacts/screens-of-dashboard, with `--readme` the pictures of the
// README, in docs/pictures.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,de,ar' },
    widths: { type: 'string' },
    dashboard: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
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
  const house = await openScreensHouse(postgres.url)
  const browser = await openBrowser()
  try {
    const contexts = await Promise.all(languages.map(async () => openContext(browser)))
    for (const [name, scene] of chosen) await takeScene(contexts, house, album, name, scene)
    for (const [name] of chosen)
      await album.writeSheet(
        browser,
        name,
        languages.map((language) => `${name}-${language}-`),
      )
  } finally {
    await browser.close()
    await house.close()
    await postgres.remove()
  }
  album.tell()
}

/** One for each language: pages of a context share their clock. */
async function openContext(browser: TestBrowser): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', bypassCSP: true })
  // Each payment has a code of its own, and every run new payments.
  const code = renderSVG('https://pay.example/payment/1', { ecc: 'M', border: 4 })
  await context.route('**/qr.svg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: code }))
  return context
}

async function takeScene(
  contexts: readonly BrowserContext[],
  house: ScreensHouse,
  album: Album,
  name: string,
  scene: Scene,
): Promise<void> {
  const takes = languages.map(
    (language, index) => async () =>
      takeLanguage(contexts[index], { house, album }, scene, `${name}-${language}`, language),
  )
  if (scene.alone) for (const take of takes) await take()
  else await Promise.all(takes.map(async (take) => take()))
  process.stdout.write(`${name} `)
}

async function takeLanguage(
  context: BrowserContext | undefined,
  { house, album }: { house: ScreensHouse; album: Album },
  scene: Scene,
  name: string,
  language: string,
): Promise<void> {
  let page: Page | undefined
  for (const width of scene.widths ?? widths) {
    page =
      page && (await fitsEveryWidth(page, scene))
        ? page
        : await openScene(context, house, scene, language, width)
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(sameInEveryRun)
    await page.evaluate(
      'Promise.all([...document.images].filter((image) => image.checkVisibility()).map((image) => image.decode().catch(() => {})))',
    )
    await album.take(page, `${name}-${width}`)
  }
  for (const each of context?.pages() ?? []) await each.close()
}

/** Whether nothing on the page was decided by its width when it was opened. */
async function fitsEveryWidth(page: Page, { act }: Scene): Promise<boolean> {
  return !act && (await page.locator('.test-cards').count()) === 0
}

async function openScene(
  context: BrowserContext | undefined,
  house: ScreensHouse,
  scene: Scene,
  language: string,
  width: number,
): Promise<Page> {
  if (!context) throw new Error(`There is no context for ${language}`)
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 800 })
  if (scene.withoutScript) await page.route(`**${script.path}`, async (route) => route.abort())
  // Nothing counts down or asks again between two pictures.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  if (scene.forcedColours) await page.emulateMedia({ forcedColors: 'active' })
  const { letter } = scene
  if (letter) {
    await page.route('**/letter*', async (route) =>
      route.fulfill({ contentType: 'text/html', body: await letter(house, language) }),
    )
  }
  const url = new URL(await scene.prepare(house))
  url.searchParams.set('lang', language)
  await page.goto(url.href)
  await scene.act?.(page, house)
  return page
}

const sameInEveryRun = `
  for (const each of document.querySelectorAll('time')) each.textContent = '\\u206615 November 2026, 14:05\\u00a0GMT\\u2069'
  for (const each of document.querySelectorAll('dd bdi')) {
    if (/^[A-Z0-9]{12,}$|^order-/.test(each.textContent)) each.textContent = 'order-1001'
  }`

if (values.readme) await takeReadme()
else if (values.dashboard) await takeDashboard(only, widthsOr('320,1280'))
else await main()
