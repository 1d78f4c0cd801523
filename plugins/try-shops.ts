import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrate } from '../src/platform/database/migrate.ts'
import { openBrowser } from '../test/support/chromium.ts'
import { openLiveHouse } from '../test/support/networks/live-house.ts'
import { startStoppablePostgres } from '../test/support/stoppable-postgres.ts'
import { tryMedusa } from './medusa/shop/try-medusa.ts'
import { tryWooCommerce } from './woocommerce/shop/try-shop.ts'

// `npm run shops -- FOLDER [NAME …]`: buys in real shops, in a real browser. FOLDER/wordpress is an installed WordPress with WooCommerce and one product,
// served at its own address by PHP beside its database. FOLDER/medusa has Medusa in node_modules. Either may be missing. NAME is part of a story's name.

const folder = resolve(process.argv[2] ?? '')
const asked = process.argv.slice(3)
const isAsked = (name: string): boolean => asked.length === 0 || asked.some((part) => name.includes(part))

const shops = [
  { isThere: existsSync(join(folder, 'wordpress/wp-load.php')), name: 'WooCommerce', start: tryWooCommerce },
  {
    isThere: existsSync(join(folder, 'medusa/node_modules/@medusajs/medusa')),
    name: 'Medusa',
    start: tryMedusa,
  },
].filter(({ isThere }) => isThere)

const say = (text: string): void => void process.stdout.write(`${text}\n`)

if (shops.length === 0) {
  say('Usage: npm run shops -- FOLDER [NAME …]')
  say(
    'FOLDER/wordpress is an installed WordPress with WooCommerce, or FOLDER/medusa has @medusajs/medusa in node_modules.',
  )
  process.exit(1)
}

const postgres = await startStoppablePostgres()
const browser = await openBrowser()
try {
  await migrate(postgres.url)
  const house = await openLiveHouse({ databaseUrl: postgres.url })
  const worker = house.app.startWorker()
  try {
    for (const { start } of shops) await start({ house, browser, isAsked, say })
  } finally {
    await worker.stop()
    await house.close()
  }
} finally {
  await browser.close()
  await postgres.remove()
}
