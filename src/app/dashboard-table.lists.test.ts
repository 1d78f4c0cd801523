import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { linksIn, pageAsk, wordsOf } from '../../test/support/dashboard/page-ask.ts'
import { openPeople, type PeopleRoom } from '../../test/support/people.ts'
import type { Html } from '../platform/http/html.ts'
import { makeCursor } from '../platform/input/cursor.ts'
import { createMerchant } from '../core/merchants/create-merchant.ts'
import { readMerchant } from '../core/merchants/authenticate.ts'
import type { Merchant } from '../core/merchants/authenticate.ts'
import { allRoutes } from '../../test/support/dashboard/all-routes.ts'

// Lists of a shop without anything in it, by their routes: which page of a list it is, and what stays in the URL.

let room: PeopleRoom
let merchant: Merchant
before(async () => {
  room = await openPeople()
  const id = await createMerchant(room.db, { name: 'Empty shop' })
  merchant = (await readMerchant(room.db, id)) ?? assert.fail()
})
after(() => room.close())

async function open(path: string, query: Readonly<Record<string, string>> = {}): Promise<Html> {
  const route = allRoutes.find((one) => one.method === 'GET' && one.path === `/:merchant/:mode${path}`)
  assert.ok(route?.access === 'member', path)
  const dashboard = { requestLogDays: 7, live: { networks: [] }, notifications: { now: () => new Date() } }
  const core = { db: room.db, now: () => new Date('2026-11-18T12:00:00Z') } as never
  const answer = await route.run(pageAsk({ core, people: room.people, merchant, dashboard, query }))
  assert.ok(answer.kind === 'page', path)
  return answer.content.body
}

const at = '2026-11-18T11:00:00.000000Z'
const sixteen = '0'.repeat(16)

for (const [path, name, query] of [
  ['/payments', '1'.repeat(24), { search: 'ada' }],
  ['/refunds', `rfd_${sixteen}`, { q: 'ada' }],
  ['/disputes', `dsp_${sixteen}`, { q: 'ada' }],
  ['/disputes', `dsp_${sixteen}`, { show: 'lost' }],
  ['/customers', '1'.repeat(24), {}],
  ['/requests', 'log_1', { outcome: 'failed' }],
  ['/audit', `aud_${sixteen}`, { what: 'key.created' }],
  ['/notifications/sent', `msg_${sixteen}`, { state: 'failed' }],
  ['/payouts', `po_${sixteen}`, { status: 'arrived' }],
] as const)
  test(`${path} of ${JSON.stringify(query)} leads back to its newest rows from later pages, and keeps its filter`, async () => {
    const first = linksIn(await open(path, query))
    assert.ok(!('Newest' in first), 'the first page is the newest')
    const cursor = makeCursor({ at, name })
    const search = new URLSearchParams(query).toString()
    const to = `/dashboard/${merchant.id}/test${path}${search === '' ? '' : `?${search}`}`
    assert.equal(linksIn(await open(path, { ...query, cursor }))['Newest'], to)
  })

for (const [path, query, words] of [
  ['/disputes', {}, /Nothing to answer|No disputes/],
  ['/disputes', { show: 'to_answer' }, /Nothing to answer|No disputes/],
  ['/requests', {}, /No requests yet/],
  ['/requests', { method: 'GET' }, /No matching requests/],
  ['/requests', { outcome: 'nonsense' }, /No requests yet/],
  ['/requests', { path: '/api' }, /No matching requests/],
  ['/requests', { key: 'key_1' }, /No matching requests/],
  ['/requests', { key: 'nonsense' }, /No requests yet/],
] as const)
  test(`${path} of ${JSON.stringify(query)} without a match says ${String(words)}`, async () => {
    assert.match(wordsOf(await open(path, query)), words)
  })

test('a request id leads to its request, and what is none is searched for', async () => {
  const route = allRoutes.find(({ path }) => path === '/:merchant/:mode/requests')
  assert.ok(route?.access === 'member')
  const core = { db: room.db, now: () => new Date() } as never
  const run = async (request: string) =>
    route.run(pageAsk({ core, merchant, dashboard: { requestLogDays: 7 }, query: { request } }))
  assert.deepEqual(await run(' req_12345678 '), {
    kind: 'go',
    to: `/dashboard/${merchant.id}/test/requests/req_12345678`,
  })
  assert.equal((await run('short')).kind, 'page')
})
