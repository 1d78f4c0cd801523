import { readJournal, type LoadEntry } from './journal.ts'
import { ask, type Witness } from './stage.ts'

// What went back. The networks' own books are compared with our tables, and both with what was acknowledged.

/** What both networks sent back because a merchant said so. */
const sentBack = `select refunds.merchant_id, idempotency_key, amount_minor, 'card ' || charge_reference as charge
    from test_network.card_refunds as refunds where outcome = 'succeeded'
  union all
  select merchant_id, idempotency_key, amount_minor, 'page ' || page_reference from test_network.refunds
    where idempotency_key not like 'surplus-%'`

const taken = `select merchant_id, 'card ' || reference as charge, amount_minor from test_network.charges
    where outcome = 'charged'
  union all
  select merchant_id, 'page ' || reference, amount_minor from test_network.pages where state = 'paid'`

/** I11: no second refund, none forgotten, and never more than was charged. */
export async function refundedOnce(stage: Witness): Promise<string[]> {
  const parts = await Promise.all([
    forgotten(stage),
    otherwiseInTheBooks(stage),
    moreThanCharged(stage),
    countedOtherwise(stage),
  ])
  return parts.flat()
}

async function forgotten(stage: Witness): Promise<string[]> {
  const rows = await ask<{ tx_ref: string; refund_ref: string }>(
    stage.databaseUrl,
    'select tx_ref, refund_ref from refunds where merchant_id = $1',
    [stage.merchant.id],
  )
  const known = new Set(rows.map((row) => `${row.tx_ref} ${row.refund_ref}`))
  return stage.journals
    .flatMap((path) => readJournal<LoadEntry>(path))
    .filter((entry) => entry.op === 'refund')
    .filter(({ txRef, refundRef }) => !known.has(`${txRef} ${refundRef}`))
    .map(({ refundRef }) => `${refundRef}: was acknowledged, and there is no such refund`)
}

/** A refund is succeeded exactly when the network sent its money, and the network sent nothing besides. */
async function otherwiseInTheBooks(stage: Witness): Promise<string[]> {
  const rows = await ask<{ id: string; state: string | null; sent: string | null }>(
    stage.databaseUrl,
    `select coalesce(refunds.id, books.idempotency_key) as id, refunds.state, books.amount_minor::text as sent
     from refunds full join (${sentBack}) as books
       on books.merchant_id = refunds.merchant_id and books.idempotency_key = refunds.id
     where (refunds.state in ('succeeded', 'failed') or refunds.id is null) and refunds.mode is distinct from 'live'
       and (case when refunds.state = 'succeeded' then refunds.amount_minor end) is distinct from books.amount_minor`,
  )
  return rows.map(
    ({ id, state, sent }) => `${id}: is ${state ?? 'unknown'}, and the network sent ${sent ?? 'nothing'}`,
  )
}

async function moreThanCharged(stage: Witness): Promise<string[]> {
  const rows = await ask<{ charge: string; sent: string }>(
    stage.databaseUrl,
    `select charge, sum(books.amount_minor)::text as sent from (${sentBack}) as books
     left join (${taken}) as taken using (merchant_id, charge)
     group by merchant_id, charge, taken.amount_minor
     having sum(books.amount_minor) > coalesce(taken.amount_minor, 0)`,
  )
  return rows.map(({ charge, sent }) => `${charge}: ${sent} went back, which is more than was charged`)
}

/** What the payment says, and what is reserved, are the sums of its refunds. */
async function countedOtherwise(stage: Witness): Promise<string[]> {
  const rows = await ask<{ tx_ref: string }>(
    stage.databaseUrl,
    `select payments.tx_ref from payments
     join lateral (
       select coalesce(sum(amount_minor) filter (where state = 'succeeded'), 0) as succeeded,
              coalesce(sum(amount_minor) filter (where state <> 'failed'), 0) as reserved, count(*) as asked
       from refunds where refunds.merchant_id = payments.merchant_id and refunds.number = payments.number) as sums on true
     left join refund_totals as total on total.merchant_id = payments.merchant_id and total.number = payments.number
     where (payments.refunded_minor, coalesce(total.reserved_minor, 0), payments.refunds)
         <> (succeeded, reserved, asked)
       or (payments.state = 'refunded') <> (payments.refunded_minor = payments.amount_minor)`,
  )
  return rows.map((row) => `${row.tx_ref}: its sums are not those of its refunds`)
}

export async function countOpenRefunds(stage: Witness): Promise<number> {
  const [row] = await ask<{ count: number }>(
    stage.databaseUrl,
    `select count(*)::integer as count from refunds where state in ('requested', 'submitted')`,
  )
  return row?.count ?? 0
}
