import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { call, openHouse, post } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// PostgreSQL's package is upgraded while the old program still runs, and new connections can't load plpgsql. A wrong name of
// the library in the catalog of this database gives the same error.

const library = async (owner: pg.Client, name: string): Promise<unknown> =>
  owner.query(`update pg_proc set probin = $1 where proname like 'plpgsql\\_%' and probin is not null`, [
    name,
  ])

test('a PostgreSQL whose files were replaced while it ran is not ready, and a create gets 503', async () => {
  const house = await openHouse()
  const owner = new pg.Client({ connectionString: house.databaseUrl })
  await owner.connect()
  try {
    await library(owner, '$libdir/florin-gone')
    const ready = await call(`${house.url}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(
      ready.text,
      /PostgreSQL's program files were replaced while it ran, so new connections fail: could not access file .+florin-gone.+ Restart PostgreSQL\./,
    )
    const refused = await post(`${house.url}/api/payment`, paymentRequest(), house.secretKey)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])

    await library(owner, '$libdir/plpgsql')
    const created = await post(`${house.url}/api/payment`, paymentRequest(), house.secretKey)
    assert.equal(created.status, 201)
  } finally {
    await owner.end()
    await house.close()
  }
})
