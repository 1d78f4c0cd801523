import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

// What axe finds on a page. It is a script of its own, which our content policy rightly refuses: open the page with bypassCSP.

export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Contrast takes most of the time. A page that was looked at in light differs in dark by its colours alone, and in another
 * language by everything else.
 */
export type Looked = 'all' | 'contrast' | 'all but contrast'

const options: Readonly<Record<Looked, object>> = {
  all: {},
  contrast: { runOnly: ['color-contrast'], preload: false },
  'all but contrast': { rules: { 'color-contrast': { enabled: false } } },
}

type Found = { id: string; nodes: { html: string }[] }
type Axe = { run(within: string, options: object): Promise<{ violations: Found[] }> }

/** `within`: the part of the page to look at, where the rest was looked at on another one. */
export async function violations(
  page: Page,
  looked: Looked = 'all',
  within: 'html' | 'main' = 'html',
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource)
  const chosen = { within, options: { ...options[looked], resultTypes: ['violations'], iframes: false } }
  return page.evaluate(async (asked) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    // A frame holds what has tests of its own, and no script to look with.
    const { violations: found } = await axe.run(asked.within, asked.options)
    return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
  }, chosen)
}
