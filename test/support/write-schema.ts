import { writeFileSync } from 'node:fs'
import { Database } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { dumpSchema } from './dump-schema.ts'
import { startStoppablePostgres } from './stoppable-postgres.ts'

// `npm run schema`: writes what the migrations make into src/platform/database/schema.sql.

const postgres = await startStoppablePostgres()
try {
  await migrate(postgres.url)
  const db = new Database(postgres.url)
  writeFileSync(new URL('../../src/platform/database/schema.sql', import.meta.url), await dumpSchema(db))
  await db.close()
} finally {
  await postgres.remove()
}
