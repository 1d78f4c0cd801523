import type pg from 'pg'

/** For work that may take hours. Behind a pooler the role has a limit for statements (docs/monitoring.md). */
export async function setNoTimeLimit(client: pg.Client): Promise<void> {
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
}
