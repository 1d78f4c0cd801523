import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openHouse } from '../../test/support/house.ts'
import { startStoppablePostgres } from '../../test/support/stoppable-postgres.ts'
import { typesOf, type OpenApi } from './write-types.ts'

// `npm run client-types`: writes src/types.ts from the /openapi.json of this checkout.

const postgres = await startStoppablePostgres()
try {
  await migrate(postgres.url)
  const house = await openHouse({ databaseUrl: postgres.url })
  try {
    const answer = await fetch(`${house.url}/openapi.json`)
    const types = typesOf((await answer.json()) as OpenApi)
    writeFileSync(fileURLToPath(new URL('src/types.ts', import.meta.url)), types)
  } finally {
    await house.close()
  }
} finally {
  await postgres.remove()
}
