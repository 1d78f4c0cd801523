import { ask, type Witness } from './stage.ts'

// The networks' own records of declines, compared with our tables.

/** Orders that reached the network and were declined there. The row that shuts an order out has no amount. */
const declinedThere = `select merchant_id, idempotency_key from test_network.charges
    where outcome = 'declined' and amount_minor is not null
  union all
  select merchant_id, idempotency_key from test_network.pages where state = 'refused'`

/** I20: what Florin failed to send is never shown or counted as a customer's decline. */
export async function declinesAreTheNetworks(stage: Pick<Witness, 'databaseUrl'>): Promise<string[]> {
  const shown = await ask<{ digits: string; attempt: number }>(
    stage.databaseUrl,
    `select attempts.merchant_id || attempts.number as digits, attempts.attempt from attempts
     join payments on payments.merchant_id = attempts.merchant_id and payments.number = attempts.number
     where payments.mode = 'test' and attempts.state = 'declined' and not exists (
       select from (${declinedThere}) as declined where declined.merchant_id = attempts.merchant_id
         and declined.idempotency_key = attempts.idempotency_key)`,
  )
  // A decline adds one to the card's level and one to the address's; levels only shrink afterwards.
  const counted = await ask<{ merchant_id: number; kind: string; level: number; declined: number }>(
    stage.databaseUrl,
    `select levels.merchant_id, levels.kind, levels.level, coalesce(there.declined, 0)::integer as declined
     from (select merchant_id, kind, sum(level) as level from decline_levels where mode = 'test'
           group by merchant_id, kind) as levels
     left join (select merchant_id, count(*) as declined from (${declinedThere}) as declined
           group by merchant_id) as there on there.merchant_id = levels.merchant_id`,
  )
  return [
    ...shown.map(
      ({ digits, attempt }) => `${digits} attempt ${attempt} is declined, and no network declined it`,
    ),
    ...counted
      .filter(({ level, declined }) => level > declined + roundingSlack)
      .map(
        ({ merchant_id, kind, level, declined }) =>
          `${level} declines are counted against each ${kind} of ${merchant_id}, and networks declined ${declined}`,
      ),
  ]
}

const roundingSlack = 0.001
