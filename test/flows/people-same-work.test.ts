import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { derive } from '../../src/dashboard/people/passwords/hash-password.ts'
import { openHouse } from '../support/house.ts'
import { goodPassword, newPerson, Visitor } from '../support/visitor.ts'

// Whether somebody is here must not show in how long an answer takes: what takes the time is counted, not the time.

test('an unknown address costs one argon2 run with the same parameters, like a wrong or right password', async () => {
  const runs: string[] = []
  const house = await openHouse({
    world: {
      derive: async (password, salt, figures) => {
        runs.push(JSON.stringify([salt.length, figures]))
        return derive(password, salt, figures)
      },
    },
  })
  try {
    const known = await newPerson(house, { role: 'viewer' })
    const passwordless = await newPerson(house, { role: 'viewer' })
    await house.db.query(sql`update people set password_hash = null where id = ${passwordless.id}`)
    const tries: [string, string, number][] = [
      [`nobody.${known.email}`, goodPassword, 401],
      [passwordless.email, goodPassword, 401],
      [known.email, 'wrong', 401],
      [known.email, goodPassword, 303],
    ]
    const seen = []
    for (const [email, password, status] of tries) {
      runs.length = 0
      assert.equal((await new Visitor(house).signIn({ email }, password)).status, status, email)
      seen.push([...runs])
    }
    const once = [JSON.stringify([16, { memory: 19_456, passes: 2, parallelism: 1 }])]
    assert.deepEqual(seen, [once, once, once, once])
  } finally {
    await house.close()
  }
})
