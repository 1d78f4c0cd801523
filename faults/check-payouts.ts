import { ask, type Witness } from './stage.ts'

// What was paid out. The test network's own books are compared with our lines, those with the ledger, and its entries with the
// balances and the sums of hours.

const held = ['sales', 'fees', 'taxes', 'held', 'on_its_way', 'arrived'] as const

/** I16: for every payout that the network reports, lines, entries and balance agree to the minor unit. */
export async function payoutsAddUp(stage: Witness): Promise<string[]> {
  const parts = await Promise.all([
    otherAmounts(stage),
    otherLines(stage),
    entriesWithoutSource(stage),
    balancesOffEntries(stage),
    hoursOffLines(stage),
    toldOtherwise(stage),
  ])
  return parts.flat()
}

/** A payout that was copied is the network's, and its lines are its amount. */
async function otherAmounts({ databaseUrl }: Witness): Promise<string[]> {
  const rows = await ask<{ id: string }>(
    databaseUrl,
    `select payouts.id from payouts
     left join test_network.payouts as theirs using (merchant_id, reference)
     left join lateral (
       select count(*) as count, sum(net_minor) as net from payout_lines as line
       where line.merchant_id = payouts.merchant_id and line.payout_id = payouts.id) as lines on true
     where payouts.mode = 'test' and (payouts.amount_minor is distinct from theirs.amount_minor
       or (payouts.lines = 'copied' and (payouts.line_count <> lines.count or payouts.amount_minor <> lines.net)))`,
  )
  return rows.map(({ id }) => `${id}: its amount, its lines and the network's books differ`)
}

/** Which bookings are in a payout is the network's word. */
async function otherLines({ databaseUrl }: Witness): Promise<string[]> {
  const rows = await ask<{ reference: string }>(
    databaseUrl,
    `select coalesce(line.reference, item.reference) as reference
     from (select line.merchant_id, line.reference, payouts.reference as payout_reference from payout_lines as line
           join payouts on payouts.merchant_id = line.merchant_id and payouts.id = line.payout_id
           where line.mode = 'test' and payouts.lines = 'copied') as line
     full join (select item.* from test_network.payout_items as item
                join payouts on payouts.merchant_id = item.merchant_id and payouts.reference = item.payout_reference
                where payouts.lines = 'copied') as item
       using (merchant_id, reference)
     where line.payout_reference is distinct from item.payout_reference`,
  )
  return rows.map(({ reference }) => `${reference}: is in one payout here and in another at the network`)
}

/** Every line is an entry, and an entry of a line is that line's. */
async function entriesWithoutSource({ databaseUrl }: Witness): Promise<string[]> {
  const rows = await ask<{ source: string }>(
    databaseUrl,
    `select coalesce(entries.source, 'line:' || line.reference) as source
     from payout_lines as line
     full join (select * from entries where source like 'line:%') as entries
       on entries.merchant_id = line.merchant_id and entries.account_id = line.account_id
         and entries.source = 'line:' || line.reference
     where (-line.gross_minor, line.fee_minor, line.tax_minor, line.net_minor)
       is distinct from (entries.sales_minor, entries.fees_minor, entries.taxes_minor, entries.held_minor)`,
  )
  return rows.map(({ source }) => `${source}: the ledger and the line differ`)
}

async function balancesOffEntries({ databaseUrl }: Witness): Promise<string[]> {
  const sums = held.map((name) => `coalesce(sum(entries.${name}_minor), 0)`).join(', ')
  const ours = held.map((name) => `balances.${name}_minor`).join(', ')
  const rows = await ask<{ account_id: string; currency: string }>(
    databaseUrl,
    `select account_id, currency from balances left join entries using (merchant_id, account_id, currency)
     group by balances.merchant_id, account_id, currency having (${ours}) is distinct from (${sums})`,
  )
  return rows.map(
    ({ account_id, currency }) => `${account_id} ${currency}: the balance is not the sum of its entries`,
  )
}

async function hoursOffLines({ databaseUrl }: Witness): Promise<string[]> {
  const rows = await ask<{ hour: string }>(
    databaseUrl,
    `select hour::text from payout_line_sums as sums
     full join (select merchant_id, mode, date_trunc('hour', booked_at, 'UTC') as hour, account_id, currency, kind,
         count(*) as count, sum(gross_minor) as gross, sum(fee_minor) as fee, sum(tax_minor) as tax
       from payout_lines group by 1, 2, 3, 4, 5, 6) as lines
       using (merchant_id, mode, hour, account_id, currency, kind)
     where (sums.line_count, sums.gross_minor, sums.fee_minor, sums.tax_minor)
       is distinct from (lines.count, lines.gross, lines.fee, lines.tax)`,
  )
  return rows.map(({ hour }) => `${hour}: the sums of an hour are not those of its lines`)
}

/** Where the money is, by the ledger, is where the payout's state says; and each arrival was told once. */
async function toldOtherwise({ databaseUrl }: Witness): Promise<string[]> {
  const rows = await ask<{ id: string; told: number }>(
    databaseUrl,
    `select payouts.id, told.count::integer as told from payouts
     cross join lateral (select count(*) as arrivals from payout_history as history
       where history.merchant_id = payouts.merchant_id and history.payout_id = payouts.id and history.state = 'arrived') as came
     cross join lateral (select count(*) as count from deliveries
       where deliveries.merchant_id = payouts.merchant_id and event = 'payout.arrived'
         and body like '%' || payouts.id || '%') as told
     cross join lateral (select coalesce(sum(arrived_minor), 0) as arrived from entries
       where entries.merchant_id = payouts.merchant_id and entries.source like 'payout:' || payouts.id || '/%') as booked
     where payouts.mode = 'test' and (told.count > came.arrivals
       or booked.arrived <> case when payouts.state = 'arrived' then payouts.amount_minor else 0 end)`,
  )
  return rows.map(({ id, told }) => `${id}: told ${told} times, or its money is elsewhere in the ledger`)
}
