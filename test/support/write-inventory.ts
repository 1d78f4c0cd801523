import { writeFileSync } from 'node:fs'
import { migrate } from '../../src/platform/database/migrate.ts'
import { takeInventory } from './checkout-inventory.ts'
import { openHouse } from './house.ts'
import { startStoppablePostgres } from './stoppable-postgres.ts'

// `npm run inventory`: writes what the checkout serves into src/core/checkout/inventory.json. Look at the difference
// before you commit it.

const postgres = await startStoppablePostgres()
try {
  await migrate(postgres.url)
  const house = await openHouse({ databaseUrl: postgres.url })
  const inventory = await takeInventory(house)
  const file = new URL('../../src/core/checkout/inventory.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(inventory, null, 2)}\n`)
  await house.close()
} finally {
  await postgres.remove()
}
