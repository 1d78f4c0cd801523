import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { TestBrowser } from '../chromium.ts'
import { compare } from './compare.ts'
import { readPng, writePng } from './png.ts'

// Pictures of screens in artefacts/<name>: those of this run, those of the run before, what differs in red, and sheets with
// all pictures of a screen.

export type Album = {
  /** Light and dark. */
  take(page: Page, name: string): Promise<void>
  /** `rows`: how the names of the pictures in each row of the sheet begin. */
  writeSheet(browser: TestBrowser, name: string, rows: readonly string[]): Promise<void>
  tell(): void
}

export function openAlbum(name: string): Album {
  const folder = fileURLToPath(new URL(`../../../artefacts/${name}/`, import.meta.url))
  const [now, before, changes, sheets] = ['now', 'before', 'changes', 'sheets'].map((each) =>
    join(folder, each),
  ) as [string, string, string, string]
  const taken: string[] = []
  rmSync(changes, { recursive: true, force: true })
  for (const each of [now, before, changes, sheets]) mkdirSync(each, { recursive: true })
  return {
    async take(page, picture) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const file = `${picture}-${colorScheme}.png`
        if (existsSync(join(now, file))) renameSync(join(now, file), join(before, file))
        taken.push(file)
        await page.screenshot({ path: join(now, file), fullPage: true, animations: 'disabled' })
      }
    },
    async writeSheet(browser, sheet, rows) {
      const page = await browser.newPage({ viewport: { width: 2400, height: 900 } })
      const drawn = rows.map((start) => {
        const files = taken.filter((file) => file.startsWith(start))
        return `<div>${files.map((file) => asFigure(now, file)).join('')}</div>`
      })
      await page.setContent(`<style>
        body { margin: 0; font: 13px sans-serif; background: #999 }
        div { display: flex; gap: 16px; margin: 16px }
        figure { margin: 0 } img { display: block; zoom: 0.5 }</style>${drawn.join('')}`)
      await page.screenshot({ path: join(sheets, `${sheet}.png`), fullPage: true })
      await page.close()
    },
    tell: () => tellChanges(taken, { now, before, changes }),
  }
}

/** Small enough to look at, large enough to see what is wrong. */
function asFigure(now: string, file: string): string {
  const source = readFileSync(join(now, file)).toString('base64')
  return `<figure><img src="data:image/png;base64,${source}"><figcaption>${file}</figcaption></figure>`
}

function tellChanges(
  taken: readonly string[],
  { now, before, changes }: Readonly<Record<'now' | 'before' | 'changes', string>>,
): void {
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
