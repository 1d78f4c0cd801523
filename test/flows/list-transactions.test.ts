import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { enableCurrency } from '../../src/core/merchants/create-merchant.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

let house: House
type Listed = { tx_ref: string; currency: string; created_at: string }
type ListAnswer = {
  data: Listed[]
  links: { next: string | null }
  meta: { limit: number; next_cursor: string | null }
}

before(async () => {
  house = await openHouse()
  await enableCurrency(house.db, house.merchantId, 'EUR')
  for (let index = 0; index < 60; index += 1) {
    const body = paymentRequest({
      tx_ref: `list-${index}`,
      currency: index % 3 === 0 ? 'EUR' : 'GBP',
      email: index % 10 === 0 ? 'Grace@example.com' : 'ada@example.com',
    })
    assert.equal((await post(`${house.url}/api/payment`, body, house.secretKey)).status, 201)
  }
  // Several rows of one moment: the cursor must tell them apart.
  await house.db.query(sql`
    update payments set created_at = timestamptz '2026-11-01T12:00:00.000001Z' where tx_ref = any(${['list-1', 'list-2', 'list-3']})`)
  await house.db.query(sql`update payments set state = 'cancelled' where tx_ref = 'list-7'`)
})
after(() => house.close())

async function list(query: string, key = house.secretKey): Promise<Answer & { list: ListAnswer }> {
  const answer = await call(`${house.url}/api/transactions${query}`, { key })
  return { ...answer, list: answer.json as unknown as ListAnswer }
}

test('a page has 25 transactions, newest first, with a cursor to the next', async () => {
  const { status, list: page } = await list('')
  assert.equal(status, 200)
  assert.equal(page.data.length, 25)
  assert.equal(page.data[0]?.tx_ref, 'list-59')
  assert.equal(page.meta.limit, 25)
  assert.ok(page.meta.next_cursor)
})

test('following the cursor shows every transaction once, in order, even with equal times', async () => {
  // With one on a page the edges fall between rows of one moment too.
  for (const perPage of [1, 2, 7]) {
    const seen: Listed[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { list: page } = await list(`?limit=${perPage}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      assert.ok(page.data.length === perPage || page.meta.next_cursor === null)
      seen.push(...page.data)
      cursor = page.meta.next_cursor
    }
    assert.equal(seen.length, 60, `${perPage} on a page`)
    assert.equal(new Set(seen.map((item) => item.tx_ref)).size, 60, `${perPage} on a page`)
    const times = seen.map((item) => item.created_at)
    assert.deepEqual(times, times.toSorted().toReversed())
  }
})

test('filters keep only what they name', async () => {
  const rows: [string, number][] = [
    ['?tx_ref=list-7', 1],
    ['?tx_ref=%20list-7%20&currency=EUR', 0],
    ['?tx_ref=list', 0],
    ['?currency=eur&limit=100', 20],
    ['?email=grace@EXAMPLE.com&limit=100', 6],
    ['?status=cancelled', 1],
    ['?status=success', 0],
    ['?created_to=2026-11-02&limit=100', 3],
    ['?created_from=2026-11-02T00:00:00Z&limit=100', 57],
    ['?created_from=2026-11-02T01:00:00%2B01:00&limit=100', 57],
    ['?created_from=2026-11-01T12:00:00.000001Z&created_to=2026-11-01T12:00:00.000002Z', 3],
    // From a moment on, and up to another without it: a day after a day has every payment once.
    ['?created_to=2026-11-01T12:00:00.000001Z', 0],
    ['?created_from=2026-11-01T12:00:00.000002Z&limit=100', 57],
  ]
  for (const [query, count] of rows) {
    const answer = await list(query)
    assert.equal(answer.list.data?.length, count, `${query}: ${answer.text.slice(0, 200)}`)
  }
})

test('links.next is the next page’s full URL, with the filters', async () => {
  const seen: string[] = []
  let url: string | null = `${house.url}/api/transactions?currency=eur&limit=7&email=`
  while (url !== null) {
    const { list: page } = await list(new URL(url).search)
    seen.push(...page.data.map((item) => item.tx_ref))
    assert.equal(page.links.next === null, page.meta.next_cursor === null)
    url = page.links.next
    if (url !== null)
      assert.match(url, /^http:\/\/127\.0\.0\.1:3000\/api\/transactions\?currency=eur&limit=7/)
  }
  assert.equal(new Set(seen).size, 20)
  assert.equal(seen.length, 20)
})

test('an unknown parameter is refused by its name, and blank ones count as absent', async () => {
  const known = 'tx_ref, status, currency, email, created_from, created_to, project, totals, limit, cursor'
  for (const query of ['?page=2', '?limit=5&per_page=10', '?reference=FL1', '?offset=10']) {
    const name = /([a-z_]+)=\d*[A-Z\d]*$/.exec(query)?.[1] ?? ''
    const rule = `${name} is not a known parameter, use ${known}`
    const answer = await list(query)
    assert.equal(answer.status, 400, query)
    assert.deepEqual([answer.json.message, answer.json.errors], [rule, { [name]: [rule] }])
  }
  const noise = await list('?_=1731870000&_cb=x&_=1731870001&limit=5')
  assert.equal(noise.status, 200, 'names that begin with _ are ignored')
  assert.equal(noise.list.data.length, 5)
  const blank = await list('?status=&currency=&email=&created_from=&project=&tx_ref=%20&cursor=&limit=&page=')
  assert.equal(blank.status, 200, blank.text)
  assert.equal(blank.list.data.length, 25)
})

test('the other mode sees none of it', async () => {
  assert.equal((await list('', house.liveKey)).list.data.length, 0)
})

test('invalid values are refused by name', async () => {
  const rows: [string, string][] = [
    ['?limit=0', 'limit must be a whole number from 1 to 100'],
    ['?limit=101', 'limit must be a whole number from 1 to 100'],
    ['?limit=ten', 'limit must be a whole number from 1 to 100'],
    [
      '?status=paid',
      'status must be one of pending, success, failed, cancelled, expired, refunded, reversed',
    ],
    [
      '?created_from=yesterday',
      'created_from must be a date or time such as 2026-11-15 or 2026-11-15T14:05:00Z',
    ],
    [
      '?created_to=2026-13-45',
      'created_to must be a date or time such as 2026-11-15 or 2026-11-15T14:05:00Z',
    ],
    ['?cursor=nonsense', 'cursor must be the next_cursor of an earlier page'],
    ['?project=unknown', 'project must be one of your projects'],
    [
      '?created_from=2026-11-15T12:00:00+01:00',
      'created_from must be a date or time such as 2026-11-15 or 2026-11-15T14:05:00Z; in a URL write + as %2B',
    ],
    ['?currency=GB', 'currency must be three letters, such as GBP'],
    ['?currency=1@!', 'currency must be three letters, such as GBP'],
    ['?email=ada', 'email must be one valid e-mail address'],
    ['?email=a@b.com,c@d.com', 'email must be one valid e-mail address'],
    [`?email=${'a'.repeat(250)}@b.com`, 'email must be at most 254 characters'],
  ]
  for (const [query, message] of rows) {
    const answer = await list(query)
    const name = message.split(' ')[0] ?? ''
    assert.equal(answer.status, 400, query)
    assert.deepEqual([answer.json.message, answer.json.errors], [message, { [name]: [message] }])
  }
})

test('a repeated parameter is refused, whichever it is', async () => {
  const transactions = [
    'tx_ref',
    'status',
    'currency',
    'email',
    'created_from',
    'created_to',
    'project',
    'limit',
    'cursor',
  ]
  const listen = ['since', 'after', 'wait']
  const asked = [
    ...transactions.map((name) => ['/api/transactions', name] as const),
    ...listen.map((name) => ['/api/notifications/listen', name] as const),
  ]
  for (const [path, name] of asked) {
    const url = `${house.url}${path}?${name}=1&${name}=2`
    const answer = await call(url, { key: house.secretKey })
    const rule = `${name} must be sent only once`
    assert.equal(answer.status, 400, url)
    assert.deepEqual([answer.json.message, answer.json.errors], [rule, { [name]: [rule] }])
  }
})

test('a page is read through an index in its own order, whatever the filter', async () => {
  await house.db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor, email,
      first_name, last_name, created_at)
    select ${house.merchantId}::integer, lpad(n::text, 24, '0'), 'test', 'bulk-' || n, 'FL', 'API', 'GBP', 100, 1,
      'bulk' || n % 500 || '@example.com', 'A', 'B', now() - n * interval '1 second'
    from generate_series(1, 20000) as n`)
  await house.db.query(sql`analyze payments`)
  for (const filter of [
    "currency = 'EUR'",
    "lower(email) = 'grace@example.com'",
    "state = 'cancelled'",
    'true',
  ]) {
    const plan = await house.db.query<{ 'QUERY PLAN': string }>({
      text: `explain select number from payments where merchant_id = ${house.merchantId} and mode = 'test' and ${filter}
             order by created_at desc, number desc limit 26`,
      values: [],
      name: undefined,
    })
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(text, /Index (Only )?Scan/, text)
    assert.doesNotMatch(text, /Seq Scan|Sort/, text)
  }
})
