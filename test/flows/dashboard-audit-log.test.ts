import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { openHouse, type House } from '../support/house.ts'
import { readCsv } from '../support/read-csv.ts'
import { newPerson, signedIn, Visitor } from '../support/visitor.ts'

// The audit log as it is read in the dashboard: older pages, and what is looked for.

let house: House
let developer: Visitor

before(async () => {
  house = await openHouse()
  developer = await signedIn(house, { role: 'developer' })
  // Many at one moment, as when a program cancels what it made.
  await house.db.query(sql`
    insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject, after)
    select ${house.merchantId}::integer, 'aud_' || lpad(n::text, 16, '0'), '2026-01-01T12:00:00Z', 'key', 'key_1',
      'payment.cancelled', 'order-' || n, '{"mode":"test","note":null}'
    from generate_series(1, 230) as n`)
})
after(() => house.close())

const log = (query = ''): string => `/dashboard/${house.merchantId}/test/audit${query}`

const exportHead = [
  'at',
  'actor_kind',
  'actor',
  'name',
  'address',
  'request_id',
  'action',
  'subject',
  'before',
  'after',
]

function subjectsIn(text: string): string[] {
  return [...text.matchAll(/<code>(order-\d+)<\/code>/g)].map((match) => match[1] ?? '')
}

function linkIn(text: string, label: string): string | undefined {
  return new RegExp(`href="([^"]+)">${label}<`).exec(text)?.[1]?.replaceAll('&amp;', '&')
}

test('every entry is on exactly one page, even with equal times, and the filter is kept', async () => {
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

test('entries are found by kind, subject and day', async () => {
  const found = async (query: string): Promise<string[]> => subjectsIn((await developer.get(log(query))).text)
  assert.deepEqual(await found('?subject=order-77'), ['order-77'])
  assert.deepEqual(await found('?what=payment.&subject=order-7&since=2026-01-01&until=2026-01-01'), [
    'order-7',
  ])
  assert.deepEqual(await found('?what=payment.&since=2026-01-02'), [])
  assert.deepEqual(await found('?what=key.'), [])
  const nothing = (await developer.get(log('?subject=order-9999'))).text
  assert.match(nothing, /No matching entries[^]*Clear filters/)
  const { text } = await developer.get(log('?subject=order-77'))
  assert.match(text, /mode:<\/span> test/)
  assert.doesNotMatch(text, /note:/, 'what it did not have says nothing')
})

test('the export has every entry, more than any page, and is audited with its filter', async () => {
  const owner = await signedIn(house, { role: 'owner' })
  await house.db.query(sql`
    insert into audit_log (merchant_id, id, at, actor_kind, actor, action, subject)
    select ${house.merchantId}::integer, 'aud_k' || lpad(n::text, 15, '0'),
      '2026-02-01T12:00:00Z'::timestamptz + n % 3 * interval '1 hour', 'key', 'key_1', 'key.created', 'key_' || n
    from generate_series(1, 10001) as n`)
  await owner.get(log())
  const { status, headers, text } = await owner.post(log('/do/export'), {
    what: 'key.',
    since: '2026-02-01',
    until: '2026-02-01',
  })
  assert.equal(status, 200)
  assert.equal(headers.get('content-disposition'), `attachment; filename="audit-${house.merchantId}.csv"`)
  const [head, ...rows] = readCsv(text)
  assert.deepEqual(head, exportHead)
  assert.equal(rows.length, 10_001)
  assert.equal(new Set(rows.map((row) => row[7])).size, 10_001, 'each of them once')
  const times = rows.map((row) => row[0] ?? '')
  assert.ok(
    times.every((at, n) => n === 0 || at <= (times[n - 1] ?? '')),
    'newest first',
  )
  const { text: page } = await owner.get(log('?what=audit.'))
  assert.match(page, /what:<\/span> key\.[^]*since:<\/span> 2026-02-01/)
})

test('the export names the actor, and has the values before and after', async () => {
  const owner = new Visitor(house)
  const person = await newPerson(house, { role: 'owner' })
  await owner.signIn(person)
  await owner.get(log())
  const { text } = await owner.post(log('/do/export'), { subject: person.id })
  const [, entry] = readCsv(text)
  assert.deepEqual(
    [entry?.[1], entry?.[2], entry?.[3], entry?.[6], entry?.[7], entry?.[8]],
    ['person', person.id, person.name, 'person.signed_in', person.id, ''],
  )
  assert.equal(typeof JSON.parse(entry?.[9] ?? ''), 'object')
})

test('an impossible day is no filter', async () => {
  const { status, text } = await developer.get(log('?what=payment.&since=2026-02-31&until=2026-13-01'))
  assert.equal(status, 200)
  assert.equal(subjectsIn(text).length, 100)
})
