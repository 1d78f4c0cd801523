import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openLinkShop, type LinkShop } from '../../../test/support/link-shop.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { sql } from '../../platform/database/sql.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { changeLink, pauseLink, resumeLink } from './change-link.ts'
import type { LinkChange, LinkRow } from './store.ts'

let shop: LinkShop
before(async () => {
  shop = await openLinkShop()
})
after(() => shop.close())

const same: LinkChange = { title: 'Fair ticket', description: null, stock: 3, ends_at: null }

const change = async ({ id }: LinkRow, given: Partial<LinkChange>, place = shop.place) =>
  changeLink(shop.linking, place, id, { ...same, ...given }, bySystem)

async function entries({ id }: LinkRow): Promise<string[]> {
  const rows = await shop.till.db.query<{ entry: string }>(sql`
    select action || coalesce(' ' || before, '') || coalesce(' ' || after, '') as entry from audit_log
    where merchant_id = ${shop.till.merchantId} and subject = ${id} and action <> 'link.created' order by at, id`)
  return rows.map(({ entry }) => entry)
}

test('stock can’t go below the places taken, held and paid alike', async () => {
  const link = await shop.newLink({ stock: '3' })
  await shop.happens(await shop.order(link), 'paid')
  await shop.order(link)
  await assert.rejects(
    change(link, { stock: 1 }),
    (error) => error instanceof Refusal && Object.hasOwn(error.errors ?? {}, 'stock'),
  )
  assert.equal((await shop.read(link)).stock, 3)
  await change(link, { stock: 2 })
  assert.deepEqual(await shop.order(link), { kind: 'closed', state: 'all_taken' })
  await change(link, { stock: null })
  assert.equal((await shop.order(link)).kind, 'started')
})

test('a change is recorded with its differences, and an empty one isn’t recorded', async () => {
  const link = await shop.newLink({ stock: '3' })
  await change(link, {})
  assert.deepEqual(await entries(link), [])
  const ends_at = new Date('2099-01-01T00:00:00Z')
  await change(link, { title: 'Ball', ends_at })
  await change(link, { title: 'Ball', ends_at })
  assert.deepEqual(await entries(link), [
    'link.changed {"title":"Fair ticket","ends_at":null} {"title":"Ball","ends_at":"2099-01-01T00:00:00.000Z"}',
  ])
  assert.deepEqual(new Date((await shop.read(link)).ends_at ?? ''), ends_at)
})

test('pausing and resuming are recorded once each, however often requested', async () => {
  const link = await shop.newLink({ stock: '3' })
  for (let n = 0; n < 2; n += 1) await pauseLink(shop.linking, shop.place, link.id, bySystem)
  assert.deepEqual(new Date((await shop.read(link)).paused_at ?? ''), shop.till.paying.now())
  for (let n = 0; n < 2; n += 1) await resumeLink(shop.linking, shop.place, link.id, bySystem)
  assert.equal((await shop.read(link)).paused_at, null)
  assert.deepEqual(
    (await entries(link)).map((entry) => entry.split(' ')[0]),
    ['link.paused', 'link.resumed'],
  )
})

test('a link of the other mode, of another merchant or of nobody is not found', async () => {
  const link = await shop.newLink({ stock: '3' })
  const { merchant } = shop.place
  const missing = { message: 'Link not found' }
  await assert.rejects(change(link, { stock: 9 }, { merchant, mode: 'live' }), missing)
  const other = { merchant: { ...merchant, id: merchant.id + 1 }, mode: 'test' } as const
  await assert.rejects(change(link, { stock: 9 }, other), missing)
  await assert.rejects(pauseLink(shop.linking, other, link.id, bySystem), missing)
  await assert.rejects(resumeLink(shop.linking, shop.place, 'lnk_0000000000000000', bySystem), missing)
  assert.equal((await shop.read(link)).stock, 3)
})
