import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openLinkShop, type LinkShop } from '../../../test/support/link-shop.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { drawTxRef } from './create-link.ts'
import { insertLinkPayment } from './link-payment-store.ts'
import { deleteLinkPayments, findUnsettled } from './old-tests-store.ts'
import { settleLink } from './settle.ts'
import { insertLink, type LinkRow } from './store.ts'

let shop: LinkShop
before(async () => {
  shop = await openLinkShop()
})
after(() => shop.close())

test('a payment is kept until its link has counted it', async () => {
  const { db, merchantId } = shop.till
  const link = await shop.newLink({ stock: '2' })
  const [paid, open] = [drawTxRef(), drawTxRef()]
  const started = [await shop.order(link, paid), await shop.order(link, open)] as const
  await shop.happens(started[0], 'paid')
  const numbers = started.map((one) => shop.paymentOf(one).number)
  const tests = { merchantId, numbers, txRefs: [paid, open] }
  const unsettled = async () => inTransaction(db, async (tx) => findUnsettled(tx, tests))
  assert.deepEqual(await unsettled(), numbers)
  await settleLink(shop.linking, merchantId, link.id)
  assert.deepEqual(await unsettled(), numbers.slice(1))
  const stranger = { ...tests, merchantId: merchantId + 1 }
  assert.deepEqual(await inTransaction(db, async (tx) => findUnsettled(tx, stranger)), [])
})

/** A live link whose payment has the tx_ref of one in test mode, as each mode has its own. */
async function liveTwin(txRef: string): Promise<LinkRow> {
  const { db, paying, merchantId } = shop.till
  const now = paying.now()
  const { stock, ends_at: _, ...like } = await shop.newLink({ stock: '1' })
  const live = { ...like, id: `lnk_${'L'.repeat(16)}`, mode: 'live', stock, ends_at: null } as const
  return inTransaction(db, async (tx) => {
    const link = await insertLink(tx, merchantId, live, now)
    await insertLinkPayment(tx, merchantId, { linkId: link.id, txRef }, { now, lookAt: now })
    return link
  })
}

test('rows of test payments are deleted; the link, its other rows and a live payment of the same tx_ref stay', async () => {
  const { db, merchantId } = shop.till
  const link = await shop.newLink()
  const [gone, stays] = [drawTxRef(), drawTxRef()]
  const number = shop.paymentOf(await shop.order(link, gone)).number
  await shop.order(link, stays)
  const live = await liveTwin(gone)
  const before_ = await shop.read(link)
  await inTransaction(db, async (tx) =>
    deleteLinkPayments(tx, { merchantId, numbers: [number], txRefs: [gone] }),
  )
  const rows = await db.query<{ link_id: string; tx_ref: string }>(sql`
    select link_id, tx_ref from link_payments
    where merchant_id = ${merchantId} and link_id in (${link.id}, ${live.id}) order by link_id = ${live.id}`)
  assert.deepEqual(rows, [
    { link_id: link.id, tx_ref: stays },
    { link_id: live.id, tx_ref: gone },
  ])
  assert.deepEqual(await shop.read(link), before_)
})
