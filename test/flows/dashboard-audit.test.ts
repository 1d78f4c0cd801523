import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { allRoutes } from '../support/dashboard/all-routes.ts'
import { walks as walksOfPeople } from '../support/audit-walks.ts'
import { walksOfSettings } from '../support/audit-walks-of-settings.ts'
import { walksOfShops } from '../support/audit-walks-of-shops.ts'
import { makeStillClock } from '../support/clock.ts'
import { OpenIdHouse } from '../support/openid-house.ts'
import { newPerson } from '../support/visitor.ts'

// Everything that a person does at the dashboard is in the audit log, in the commit of what was done: every form of the table
// of routes is sent, and the entries that it left are compared with what test/support/audit-walks*.ts say of it.

const walks = { ...walksOfPeople, ...walksOfShops, ...walksOfSettings }
let at: OpenIdHouse
before(async () => {
  at = await OpenIdHouse.open(makeStillClock())
  await newPerson(at.house, { isOperator: true, role: 'owner' })
})
beforeEach(() => at.rest())
after(() => at.close())

async function entryIds(): Promise<Map<string, string>> {
  const rows = await at.house.db.query<{ id: string; action: string }>(
    sql`select id, action from audit_log order by at, id`,
  )
  return new Map(rows.map(({ id, action }) => [id, action]))
}

test('every dashboard form names its audit entry, or why it has none', () => {
  const doing = allRoutes
    .map(({ method, path }) => `${method} /dashboard${path}`)
    .filter((name) => name.startsWith('POST ') || name === 'GET /dashboard/openid/callback')
  assert.deepEqual(Object.keys(walks).toSorted(), doing.toSorted())
})

for (const [name, walk] of Object.entries(walks)) {
  if ('excused' in walk) continue
  test(`${name} leaves ${walk.leaves.join(' and ')}`, async () => {
    const act = await walk.prepare(at)
    const known = await entryIds()
    const { status, text } = await act()
    assert.ok(status === 303 || status === 200, `${status} ${text}`)
    const added = [...(await entryIds())].filter(([id]) => !known.has(id)).map(([, action]) => action)
    assert.deepEqual(added.toSorted(), [...walk.leaves].toSorted())
  })
}
