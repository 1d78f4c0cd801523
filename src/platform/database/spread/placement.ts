// Where each table is stored when the database is a cluster. The only list: `florin distribute` and `florin migrate`
// distribute what it names, and a test compares it with the schema. A new table needs a line here.
//
// `spread`: its key starts with merchant_id. Each merchant's rows are on one node, in all tables on the same one.
//
// `coordinator`: tables of the installation or of people are on the coordinator, as in a plain PostgreSQL. Not as a
// "reference table" with a copy on each node: such a table can't be written while one node is down, and nobody could
// sign in.

export type Placement = 'spread' | 'coordinator'

/** Spread by its own number; every other table follows it. */
export const firstTable = 'merchants'

export const placements: Readonly<Record<string, Placement>> = {
  attempts: 'spread',
  audit_log: 'spread',
  balances: 'spread',
  bank_entries: 'spread',
  bookkeeping: 'spread',
  bookkeeping_accounts: 'spread',
  callback_events: 'spread',
  card_attacks: 'spread',
  connector_accounts: 'spread',
  daily_total_changes: 'spread',
  daily_totals: 'spread',
  decline_levels: 'spread',
  deliveries: 'spread',
  delivery_attempts: 'spread',
  dispute_history: 'spread',
  dispute_replies: 'spread',
  disputes: 'spread',
  endpoint_secrets: 'spread',
  endpoints: 'spread',
  entries: 'spread',
  form_refusals: 'spread',
  installation_accounts: 'coordinator',
  installation_secrets: 'coordinator',
  installation_times: 'coordinator',
  invitations: 'spread',
  keys: 'spread',
  known_devices: 'coordinator',
  link_payments: 'spread',
  links: 'spread',
  memberships: 'spread',
  merchant_brands: 'spread',
  merchant_currencies: 'spread',
  merchants: 'spread',
  monthly_summaries: 'spread',
  openid_flows: 'coordinator',
  passkey_challenges: 'coordinator',
  passkeys: 'coordinator',
  payment_history: 'spread',
  payment_notes: 'spread',
  payments: 'spread',
  payout_feeds: 'spread',
  payout_history: 'spread',
  payout_line_sums: 'spread',
  payout_lines: 'spread',
  payouts: 'spread',
  people: 'coordinator',
  person_identities: 'coordinator',
  person_links: 'coordinator',
  pictures: 'spread',
  project_counts: 'spread',
  projects: 'spread',
  receivers: 'spread',
  recovery_codes: 'coordinator',
  refund_history: 'spread',
  refund_totals: 'spread',
  refunds: 'spread',
  request_log: 'spread',
  schema_migrations: 'coordinator',
  saved_method_charges: 'spread',
  saved_method_consents: 'spread',
  saved_method_days: 'spread',
  saved_method_rules: 'spread',
  saved_methods: 'spread',
  search_entries: 'spread',
  search_slices: 'spread',
  sessions: 'coordinator',
  sign_in_waits: 'coordinator',
  'test_network.card_refunds': 'spread',
  'test_network.charges': 'spread',
  'test_network.pages': 'spread',
  'test_network.payout_items': 'spread',
  'test_network.payouts': 'spread',
  'test_network.refunds': 'spread',
  'test_network.saved_cards': 'spread',
  webhook_secrets: 'spread',
}

export const spreadTables: readonly string[] = Object.keys(placements).filter(
  (table) => placements[table] === 'spread',
)

/** The column by which a table is spread. */
export function spreadColumn(table: string): string {
  return table === firstTable ? 'id' : 'merchant_id'
}
