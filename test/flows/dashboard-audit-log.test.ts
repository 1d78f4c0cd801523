import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/database/sql.ts'
import { openHouse, type House } from '../support/house.ts'
import { newPerson, Visitor } from '../support/visitor.ts'

// The audit log as it is read in the dashboard: older pages, and what is looked for.

let house: House
let developer: Visitor

before(async () => {
  house = await openHouse()
  developer = new Visitor(house)
  await developer.signIn(await newPerson(house, { role: 'developer' }))
  // Many at one moment, as when a program cancels what it made.
  await house.db.query(sql`
    insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject, after)
    select ${house.merchantId}::integer, 'aud_' || lpad(n::text, 16, '0'), '2026-01-01T12:00:00Z', 'key', 'key_1',
      'payment.cancelled', 'order-' || n, '{"mode":"test","note":null}'
    from generate_series(1, 230) as n`)
})
after(() => house.close())

const log = (query = ''): string => `/dashboard/${house.merchantId}/test/audit${query}`

function subjectsIn(text: string): string[] {
  return [...text.matchAll(/<code>(order-\d+)<\/code>/g)].map((match) => match[1] ?? '')
}

function linkIn(text: string, label: string): string | undefined {
  return new RegExp(`href="([^"]+)">${label}<`).exec(text)?.[1]?.replaceAll('&amp;', '&')
}

test('every entry is on one page and no other, also those of one moment, and what is looked for goes along', async () => {
  const seen: string[] = []
  let path: string | undefined = log('?what=payment.')
  for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
    const { status, text } = await developer.get(path)
    assert.equal(status, 200)
    seen.push(...subjectsIn(text))
    assert.equal(linkIn(text, 'Newest') === undefined, pages === 0)
    path = linkIn(text, 'Older')
    assert.ok(path === undefined || path.includes('what=payment.'))
  }
  assert.equal(seen.length, 230)
  assert.equal(new Set(seen).size, 230)
  assert.equal((await developer.get(log('?cursor=nonsense'))).status, 400)
})

test('entries are found by kind, by thing and by day', async () => {
  const found = async (query: string): Promise<string[]> => subjectsIn((await developer.get(log(query))).text)
  assert.deepEqual(await found('?subject=order-77'), ['order-77'])
  assert.deepEqual(await found('?what=payment.&subject=order-7&since=2026-01-01&until=2026-01-01'), [
    'order-7',
  ])
  assert.deepEqual(await found('?what=payment.&since=2026-01-02'), [])
  assert.deepEqual(await found('?what=key.'), [])
  const nothing = (await developer.get(log('?subject=order-9999'))).text
  assert.match(nothing, /Nothing like this happened[^]*Show everything/)
  const { text } = await developer.get(log('?subject=order-77'))
  assert.match(text, /mode:<\/span> test/)
  assert.doesNotMatch(text, /note:/, 'what it did not have says nothing')
})
