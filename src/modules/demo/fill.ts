import { recordAct, type Actor } from '../../core/audit/audit.ts'
import { inTransaction, type Database } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { changeBrand } from '../../core/merchants/brand/change-brand.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { findDemo, markDemo } from '../../core/merchants/operator/demo-merchant.ts'
import { indexPayments } from '../../core/payments/search/index-payments.ts'
import { outageOf, writeDeliveries, writeReceiver } from './delivery-rows.ts'
import { projectNames, shopHost, shopName } from './goods.ts'
import { writeCharges, writeDispute, writeLinks, writeRefunds } from './money-rows.ts'
import { stamp, writePayment, type Shop, type Snapshot } from './payment-rows.ts'
import { payOutWeekly, writeFeed } from './pay-out-weekly.ts'
import { chanceOf } from './random.ts'
import { insertRows } from './row-store.ts'
import { DemoRows } from './rows.ts'
import { writeTotals } from './total-rows.ts'
import { storyDays, tellStory, type DemoPayment } from './story.ts'

// A test merchant with three months of invented payments. Rows are written in one commit; payouts and the search index
// are made from them by the code that always makes them.

export type Filled = { readonly merchantId: number; readonly payments: number }

type Asked = {
  readonly seed: number
  readonly now: Date
  readonly baseUrl: string
  readonly by: Actor
}

const currencies = ['GBP', 'EUR', 'USD']
/** What createMerchant starts with. */
const fee = { basisPoints: 140, fixedMinor: 20n }

export async function fillDemo(db: Database, asked: Asked): Promise<Filled> {
  if ((await findDemo(db)) !== undefined)
    throw new Refusal('not_allowed', 'There is a demo shop already. Remove it first: florin demo remove')
  const { now, seed } = asked
  const openedAt = new Date(now.getTime() - storyDays * 86_400_000)
  const payments = tellStory(seed, now)
  const merchantId = await inTransaction(db, async (tx) => {
    const id = await createMerchant(tx, { name: shopName, currencies }, asked.by)
    await changeBrand(tx, id, brand, asked.by)
    await markDemo(tx, id, openedAt)
    const rows = rowsOf(id, payments, asked, openedAt)
    for (const [table, ofTable] of rows.tables()) await insertRows(tx, id, table, ofTable)
    await recordAct(tx, id, asked.by, {
      action: 'merchant.demo_filled',
      subject: String(id),
      after: { payments: payments.length, seed },
    })
    return id
  })
  await payOutWeekly(db, merchantId, openedAt, now)
  while ((await indexPayments(db, merchantId)) > 0);
  return { merchantId, payments: payments.length }
}

const brand: Parameters<typeof changeBrand>[2] = {
  colour: '#8a3b12',
  website: `https://${shopHost}/`,
  supportEmail: `hello@${shopHost}`,
  address: '12 Harbour Lane\nBristol BS1 4QA',
  country: 'GB',
  timeZone: 'Europe/London',
}

function rowsOf(
  merchantId: number,
  payments: readonly DemoPayment[],
  asked: Asked,
  openedAt: Date,
): DemoRows {
  const rows = new DemoRows(merchantId)
  const chance = chanceOf(asked.seed + 1)
  const projects = new Map(projectNames.map((name) => [name, `prj_${randomBase62(16)}`]))
  const shop: Shop = { merchantId, baseUrl: asked.baseUrl, projects, fee }
  for (const [name, id] of projects)
    rows.add('projects', {
      id,
      name,
      name_folded: name.toLowerCase(),
      created_at: stamp(openedAt),
      updated_at: stamp(openedAt),
    })
  rows.add('project_counts', { live: projects.size })
  const told: Snapshot[] = []
  // Payments come before what refers to them.
  const history = new DemoRows(merchantId)
  for (const payment of payments) told.push(...writePayment(history, shop, payment))
  const [own, others] = partition(history.tables(), ([table]) => table === 'payments')
  for (const [table, ofTable] of [...own, ...others]) for (const row of ofTable) rows.add(table, row)
  for (const payment of payments) {
    writeCharges(rows, payment)
    writeRefunds(rows, payment)
    writeDispute(rows, payment)
  }
  writeLinks(rows, payments, openedAt)
  writeTotals(rows, shop, payments)
  writeFeed(rows, asked.now)
  const outage = outageOf(asked.now)
  writeReceiver(rows, outage)
  writeDeliveries(rows, shop, told, { chance, outage, now: asked.now })
  return rows
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}
