import pg from 'pg'

// Rows of an installation as it was at migration 12, the first whose payments, notifications and projects were all there:
// a dozen for the upgrades that the tests make, a million for the figures in docs/upgrading.md.

export const firstRelease = 12
const merchant = 12345678

export async function fillFirst(url: string, payments: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements)
      await client.query(statement.replaceAll(':payments', String(payments)))
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

const number = `lpad(n::text, 24, '0')`
const at = `timestamptz '2026-01-01' + n * interval '20 seconds'`

const statements = [
  `insert into merchants (id, name, email) values (${merchant}, 'Corner shop', 'shop@example.com')`,
  `insert into merchant_currencies (merchant_id, currency, fee_fixed_minor) values (${merchant}, 'GBP', 20)`,
  `insert into keys (merchant_id, id, kind, mode, hash, hint, name)
   values (${merchant}, 'key_0000000000000000', 'secret', 'test', sha256('key'), 'sk_test_…0000', 'first')`,
  `insert into webhook_secrets (merchant_id, mode, secret)
   values (${merchant}, 'test', 'whsec_' || encode(sha256('webhook'), 'base64'))`,
  `insert into projects (merchant_id, id, name, name_folded)
   values (${merchant}, 'prj_0000000000000000', 'Café', 'cafe')`,
  `insert into project_counts (merchant_id, live) values (${merchant}, 1)`,
  `insert into payments (merchant_id, number, mode, tx_ref, reference, type, state, currency, amount_minor, charge_minor,
     email, first_name, last_name, callback_url, meta, created_at, updated_at, expires_at)
   select ${merchant}, ${number}, 'test', 'order-' || n, lpad(n::text, 12, '0'), 'API',
     (array['success', 'success', 'failed', 'cancelled', 'expired'])[1 + n % 5], 'GBP', 100 + n, 20,
     'customer' || n || '@example.com', 'Ada', 'Lovelace ' || n, 'https://shop.example.com/ipn', '{"cart": 7}',
     ${at}, ${at} + interval '1 minute', ${at} + interval '1 day'
   from generate_series(1, :payments) as n`,
  `insert into attempts (merchant_id, number, attempt, state, connector, idempotency_key, connector_reference, card_brand,
     card_last4, started_at, updated_at)
   select ${merchant}, ${number}, 1, case when n % 5 < 2 then 'succeeded' else 'declined' end, 'test', 'attempt-' || n,
     'charge-' || n, 'visa', '4242', ${at}, ${at}
   from generate_series(1, :payments) as n`,
  `insert into payment_history (merchant_id, number, at, event, from_state, to_state, attempt)
   select ${merchant}, ${number}, ${at}, 'paid', 'pending', 'success', null
   from generate_series(1, :payments) as n where n % 5 < 2`,
  `insert into deliveries (merchant_id, id, kind, mode, event, number, target, origin, body, state, tries, created_at,
     finished_at)
   select ${merchant}, 'msg_' || n, 'ipn', 'test', 'payment.success', ${number}, 'https://shop.example.com/ipn',
     'https://shop.example.com', '{"event":"payment.success","data":{"tx_ref":"order-' || n || '","email":"customer'
     || n || '@example.com","first_name":"Ada","last_name":"Lovelace ' || n || '","status":"success"}}',
     'delivered', 1, ${at}, ${at} + interval '1 second'
   from generate_series(1, :payments) as n`,
  `insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status, answer)
   select ${merchant}, 'msg_' || n, 1, ${at}, 12, 200, 'ok' from generate_series(1, :payments) as n`,
]
