import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { paidPayment, refund } from '../support/refunds.ts'

// One word per thing in all that programs see.

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house.close())

type Schema = { [name: string]: unknown }
type Operation = {
  operationId: string
  parameters?: { name: string }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

async function readDocument(): Promise<Document> {
  return (await fetch(`${house.url}/openapi.json`)).json() as Promise<Document>
}

function names(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties') for (const name of Object.keys(inner as object)) found.add(name)
    if (key === 'enum') for (const word of inner as string[]) found.add(word)
    names(inner, found)
  }
  return found
}

test('the API says status, success and created_at everywhere', async () => {
  const used = names(await readDocument())
  for (const word of ['state', 'succeeded', 'opened_at', 'refund.succeeded'])
    assert.ok(!used.has(word), `${word} is a word of the API`)
  for (const word of ['status', 'success', 'created_at', 'refund.success']) assert.ok(used.has(word), word)
})

test('every list except projects takes limit and cursor', async () => {
  const { paths } = await readDocument()
  const lists = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => operationId.startsWith('list') && operationId !== 'listProjects')
    .filter(({ operationId }) => operationId !== 'listenToNotifications')
  assert.ok(lists.length >= 6)
  for (const { operationId, parameters = [] } of lists) {
    const taken = parameters.map(({ name }) => name)
    assert.ok(taken.includes('limit') && taken.includes('cursor'), operationId)
    assert.ok(!taken.includes('per_page') && !taken.includes('page'), operationId)
  }
})

type Page = {
  data: Record<string, string>[]
  links: { next: string | null }
  meta: { limit: number; next_cursor: string | null }
}

/** Every page of one, by links.next. */
async function readAll(path: string, name: string): Promise<string[]> {
  const seen: string[] = []
  let next: string | null = `${path}?limit=1&_=7`
  while (next !== null) {
    const answer = await call(house.url + next, { key: house.secretKey })
    assert.equal(answer.status, 200, answer.text)
    const { data, links, meta } = answer.json as unknown as Page
    assert.ok(data.length <= 1 && meta.limit === 1)
    seen.push(...data.map((item) => item[name] ?? assert.fail(name)))
    next = links.next === null ? null : links.next.slice(new URL(links.next).origin.length)
  }
  return seen
}

test('a transaction’s refunds and notifications and refused forms are paged, each row shown once', async () => {
  const payment = await paidPayment(house)
  for (const [place, amount] of ['1.00', '2.00', '3.00'].entries())
    await refund(house, payment, { refund_ref: `paged-${place}`, amount })
  const path = `/api/transaction/${payment.txRef}`
  assert.deepEqual(await readAll(`${path}/refunds`, 'refund_ref'), ['paged-2', 'paged-1', 'paged-0'])

  const told = await readAll(`${path}/notifications`, 'id')
  assert.equal(new Set(told).size, told.length)
  const whole = await call(`${house.url}${path}/notifications`, { key: house.secretKey })
  assert.deepEqual(
    told,
    (whole.json.data as { id: string }[]).map(({ id }) => id),
  )
  assert.ok(told.length >= 4, 'a payment and its refunds')

  await house.db.query(sql`
    insert into form_refusals (merchant_id, mode, at, request_id, code, message)
    select ${house.merchantId}::integer, 'test', now(), 'proxy/' || n || ':1', 'validation_failed', 'old'
    from generate_series(1, 3) as n`)
  const refused = ['proxy/3:1', 'proxy/2:1', 'proxy/1:1']
  assert.deepEqual(await readAll('/api/form-refusals', 'request_id'), refused)
})
