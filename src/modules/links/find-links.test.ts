import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openLinkShop, type LinkShop } from '../../../test/support/link-shop.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { insertRows } from '../../../test/support/rows.ts'
import { pageLimit } from '../../platform/input/cursor.ts'
import { pauseLink } from './change-link.ts'
import { readLinkPayments, readLinks } from './find-links.ts'
import { linkState, linkStates } from './link-state.ts'
import { settleLink } from './settle.ts'

let shop: LinkShop
before(async () => {
  shop = await openLinkShop()
})
after(() => shop.close())

test('the list filters links by the state their own page shows, even at the moment they end', async () => {
  const { till, linking, place } = shop
  const today = till.paying.now().toISOString().slice(0, 10)
  const ending = await shop.newLink({ ends_on: today, stock: '1' })
  const held = await shop.newLink({ stock: '1' })
  const sold = await shop.newLink({ stock: '1', ends_on: today })
  const paused = await shop.newLink({ ends_on: today })
  const links = [ending, held, sold, paused, await shop.newLink({ stock: '2' }), await shop.newLink()]
  await shop.order(held)
  await shop.happens(await shop.order(sold), 'paid')
  await settleLink(linking, till.merchantId, sold.id)
  await pauseLink(linking, place, paused.id, bySystem)
  till.forward(Date.parse(ending.ends_at ?? '') - till.paying.now().getTime() - 1)
  for (const [moment, ended] of [
    ['a moment before', 0],
    ['as the day ends', 1],
  ] as const) {
    const found: Record<string, string[]> = {}
    for (const state of linkStates) {
      const page = await readLinks(linking, place, { cursor: undefined, search: '', kind: '', state })
      for (const { id } of page.links) (found[id] ??= []).push(state)
    }
    for (const link of links)
      assert.deepEqual(found[link.id], [linkState(await shop.read(link), till.paying.now())], moment)
    assert.equal(Object.values(found).filter(([state]) => state === 'ended').length, ended, moment)
    till.forward(1)
  }
})

test('a link’s payments come in pages, and the last page has no next one', async () => {
  const { db, merchantId, paying } = shop.till
  const link = await shop.newLink()
  const rows = Array.from({ length: pageLimit.default + 1 }, (_, at) => ({
    merchant_id: merchantId,
    link_id: link.id,
    tx_ref: `link_${String(at).padStart(16, '0')}`,
    created_at: paying.now(),
    look_at: paying.now(),
  }))
  await insertRows(db, 'link_payments', rows.slice(1))
  assert.equal((await readLinkPayments(shop.linking, link, {})).nextCursor, undefined)
  await insertRows(db, 'link_payments', rows.slice(0, 1))
  const { nextCursor } = await readLinkPayments(shop.linking, link, {})
  assert.notEqual(nextCursor, undefined)
  assert.equal((await readLinkPayments(shop.linking, link, { cursor: nextCursor })).nextCursor, undefined)
})
