import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { renderSVG } from 'uqr'
import { migrate } from '../../../src/database/migrate.ts'
import { openBrowser } from '../chromium.ts'
import { startStoppablePostgres } from '../stoppable-postgres.ts'
import { script } from '../../../src/checkout/assets/assets.ts'
import { compare } from './compare.ts'
import { openScreensHouse, type ScreensHouse } from './house-of-screens.ts'
import { readPng, writePng } from './png.ts'
import { scenes, type Scene } from './scenes.ts'

// `npm run screens`: a picture of every screen of the checkout in artefacts/screens/now, beside those of the run before, with
// what differs in red. `--only pay,paid`, `--languages en,de,ar` and `--widths 320,390,1280` take some of them.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,de,ar' },
    widths: { type: 'string', default: '320,390,1280' },
  },
})

const folder = fileURLToPath(new URL('../../../artefacts/screens/', import.meta.url))
const [now, before, changes, sheets] = ['now', 'before', 'changes', 'sheets'].map((name) =>
  join(folder, name),
) as [string, string, string, string]
const languages = values.languages.split(',')
const widths = values.widths.split(',').map(Number)
const chosen = Object.entries(scenes).filter(
  ([name]) => values.only === '' || values.only.split(',').includes(name),
)

async function main(): Promise<void> {
  rmSync(changes, { recursive: true, force: true })
  for (const each of [now, before, changes, sheets]) mkdirSync(each, { recursive: true })

  const postgres = await startStoppablePostgres()
  await migrate(postgres.url)
  const house = await openScreensHouse(postgres.url)
  const browser = await openBrowser()
  try {
    const contexts = await Promise.all(languages.map(async () => openContext(browser)))
    for (const [name, scene] of chosen) await takeScene(contexts, house, name, scene)
    await writeSheets(browser)
  } finally {
    await browser.close()
    await house.close()
    await postgres.remove()
  }
  tellChanges()
}

/** One for each language: pages of a context share their clock. */
async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', bypassCSP: true })
  // Each payment has a code of its own, and every run new payments.
  const code = renderSVG('https://pay.example/payment/1', { ecc: 'M', border: 4 })
  await context.route('**/qr.svg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: code }))
  return context
}

async function takeScene(
  contexts: readonly BrowserContext[],
  house: ScreensHouse,
  name: string,
  scene: Scene,
): Promise<void> {
  const takes = languages.map(
    (language, index) => async () =>
      takeLanguage(contexts[index], house, scene, `${name}-${language}`, language),
  )
  if (scene.alone) for (const take of takes) await take()
  else await Promise.all(takes.map(async (take) => take()))
  process.stdout.write(`${name} `)
}

async function takeLanguage(
  context: BrowserContext | undefined,
  house: ScreensHouse,
  scene: Scene,
  name: string,
  language: string,
): Promise<void> {
  let page: Page | undefined
  for (const width of widths) {
    page =
      page && (await fitsEveryWidth(page, scene))
        ? page
        : await openScene(context, house, scene, language, width)
    await page.setViewportSize({ width, height: 800 })
    await takeBoth(page, `${name}-${width}`)
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
  const url = new URL(await scene.prepare(house))
  url.searchParams.set('lang', language)
  await page.goto(url.href)
  await scene.act?.(page, house)
  return page
}

const taken: string[] = []

const sameInEveryRun = `
  for (const each of document.querySelectorAll('time')) each.textContent = '\\u206615 November 2026, 14:05 GMT\\u2069'
  for (const each of document.querySelectorAll('dd bdi')) {
    if (/^[A-Z0-9]{12,}$|^order-/.test(each.textContent)) each.textContent = 'order-1001'
  }`

async function takeBoth(page: Page, name: string): Promise<void> {
  await page.evaluate(sameInEveryRun)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const file = `${name}-${colorScheme}.png`
    if (existsSync(join(now, file))) renameSync(join(now, file), join(before, file))
    taken.push(file)
    await page.screenshot({
      path: join(now, file),
      fullPage: true,
      animations: 'disabled',
    })
  }
}

/** All pictures of a screen on one sheet: small enough to look at, large enough to see what is wrong. */
async function writeSheets(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 2400, height: 900 } })
  for (const [name] of chosen) {
    const rows = languages.map((language) => {
      const files = taken.filter((file) => file.startsWith(`${name}-${language}-`))
      return `<div>${files.map(asFigure).join('')}</div>`
    })
    await page.setContent(`<style>
      body { margin: 0; font: 13px sans-serif; background: #999 }
      div { display: flex; gap: 16px; margin: 16px }
      figure { margin: 0 } img { display: block; zoom: 0.5 }</style>${rows.join('')}`)
    await page.screenshot({ path: join(sheets, `${name}.png`), fullPage: true })
  }
  await page.close()
}

function asFigure(file: string): string {
  const source = readFileSync(join(now, file)).toString('base64')
  return `<figure><img src="data:image/png;base64,${source}"><figcaption>${file}</figcaption></figure>`
}

function tellChanges(): void {
  process.stdout.write(`\n${taken.length} pictures in ${now}\n`)
  let changed = 0
  for (const file of taken.filter((each) => existsSync(join(before, each)))) {
    const { count, picture } = compare(
      readPng(readFileSync(join(before, file))),
      readPng(readFileSync(join(now, file))),
    )
    if (count === 0) continue
    changed += 1
    writeFileSync(join(changes, file), writePng(picture))
    const share = ((100 * count) / (picture.width * picture.height)).toFixed(2)
    process.stdout.write(`${share.padStart(6)} %   ${file}\n`)
  }
  process.stdout.write(`${changed} differ from the run before: ${changes}\n`)
}

await main()
