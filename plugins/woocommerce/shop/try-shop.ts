import { join } from 'node:path'
import type { TestBrowser } from '../../../test/support/chromium.ts'
import type { LiveHouse } from '../../../test/support/networks/live-house.ts'
import { live } from './live-story.ts'
import { ownerStories } from './owner-stories.ts'
import { savedMethodStories } from './saved-method-stories.ts'
import type { Shop } from './shopper.ts'
import { afterwards, paidAgain, shopping, type Stories } from './stories.ts'
import { unexpectedStories } from './unexpected-stories.ts'
import { folder, wordpress, type Storage } from './wordpress.ts'

// Buys chairs in a real WordPress with WooCommerce, as a shopper would, with the plugin that WordPress itself installed from the zip.

export type Trial = {
  readonly house: LiveHouse
  readonly browser: TestBrowser
  /** Whether a story with this name was asked for. */
  readonly isAsked: (name: string) => boolean
  readonly say: (text: string) => void
}

type Made = {
  readonly test: string
  readonly connect: string
  readonly product: number
  readonly url: string
}

export async function tryWooCommerce(trial: Trial): Promise<void> {
  const { house, say } = trial
  const url = await wordpress<string>('home')
  await run(
    trial,
    { url, product: 0, storage: 'tables' },
    { 'the owner installs the zip and connects': ownerStories.install },
    true,
  )
  for (const storage of ['tables', 'posts'] as const) {
    await wordpress('storage', { kind: storage })
    const given = { base_url: house.url, test_key: house.secretKey }
    const { product, test, connect } = await wordpress<Made>('set-up', given)
    say(`WooCommerce with orders in ${storage}. ${connect} ${test}`)
    await run(
      trial,
      { url, product, storage },
      { ...shopping, ...paidAgain, ...afterwards, ...savedMethodStories, ...unexpectedStories },
    )
    if (storage === 'tables')
      await run(
        trial,
        { url, product, storage },
        { 'live, paid at a network’s page and refunded': live, ...ownerStories.others },
      )
  }
}

async function run(
  { house, browser, isAsked, say }: Trial,
  shop: { url: string; product: number; storage: Storage },
  stories: Stories,
  isNeeded = false,
): Promise<void> {
  for (const [name, story] of Object.entries(stories)) {
    if (!isNeeded && !isAsked(`${name} (${shop.storage})`)) continue
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    const begunMs = Date.now()
    try {
      const given: Shop = { ...shop, house, page }
      await story(given)
      say(`ok      ${name} (${shop.storage}, ${Math.round((Date.now() - begunMs) / 1000)} s)`)
    } catch (error) {
      process.exitCode = 1
      const picture = join(folder, 'failed.png')
      await page.screenshot({ path: picture, fullPage: true })
      say(`FAILED  ${name} (${shop.storage}) at ${page.url()}, see ${picture}\n${String(error)}`)
    }
    await context.close()
  }
}
