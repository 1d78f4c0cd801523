import { createWriteStream, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeBackup } from '../../../src/modules/backup/write-backup.ts'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import { programVersion } from '../../../src/platform/settings/version.ts'
import { openHouse } from '../house.ts'
import { createPayment, happens } from '../pay.ts'
import { paidPayment, refund } from '../refunds.ts'
import { startStoppablePostgres } from '../stoppable-postgres.ts'
import { fillFirst, firstRelease } from './fill-first.ts'

// `npm run release-dump`, before a release is tagged: keeps a small installation as this version leaves it in
// test/releases/, where test/flows/upgrades.test.ts finds it for ever after. `-- first` makes the oldest anew, and a
// number one of an older schema that this program still works on.

const asked = process.argv[2]
const known = readMigrations()
const count = asked === undefined ? known.length : asked === 'first' ? firstRelease : Number(asked)
const migrations = known.slice(0, count)
const file = fileURLToPath(new URL(`../../releases/${migrations.at(-1)?.name}.gz`, import.meta.url))
if (existsSync(file)) throw new Error(`${file} is there: a release is never dumped twice`)

const postgres = await startStoppablePostgres()
try {
  await migrate(postgres.url, migrations)
  if (asked === 'first') await fillFirst(postgres.url, 12)
  else await fillHouse(postgres.url)
  await writeBackup(postgres.url, createWriteStream(file), { program: programVersion() })
} finally {
  await postgres.remove()
}

/** Something in as many tables as a merchant fills on an ordinary day. */
async function fillHouse(databaseUrl: string): Promise<void> {
  const house = await openHouse({ databaseUrl })
  try {
    const paid = await paidPayment(house, 'good', { callback_url: 'https://shop.example.com/ipn' })
    await refund(house, paid, { amount: '1.00', reason: 'Came broken' })
    await refund(house, await paidPayment(house))
    await refund(house, await paidPayment(house, 'refundFails'))
    await createPayment(house, { meta: { cart: 7 }, title: 'Tea' })
    await happens(house, await createPayment(house), 'cancelled_by_customer')
    await happens(house, await createPayment(house, {}, house.liveKey), 'ran_out_of_time')
    await happens(house, await paidPayment(house), 'reversed_by_bank')
  } finally {
    await house.close()
  }
}
