-- The schema that the migrations make, for reading. "npm run schema" renews it, a test compares it.

create table attempts (
  merchant_id integer not null,
  number text collate "C" not null,
  attempt integer not null,
  state text collate "C" not null default 'started'::text,
  connector text collate "C" not null,
  idempotency_key text collate "C" not null,
  connector_reference text,
  decline_reason text,
  card_brand text,
  card_last4 text,
  checks integer not null default 0,
  next_check_at timestamp with time zone,
  started_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  address_hash text collate "C",
  card_fingerprint text collate "C",
  challenged_from text collate "C",
  account_id text collate "C",
  method text collate "C",
  page_url text,
  page_expires_at timestamp with time zone,
  asked_at timestamp with time zone,
  charge_reference text,
  charged_minor bigint,
  charged_currency text collate "C",
  refund_reference text,
  saved_method_id text collate "C",
  constraint attempts_pkey PRIMARY KEY (merchant_id, number, attempt),
  constraint attempts_idempotency_key_once UNIQUE (idempotency_key, merchant_id),
  constraint attempts_merchant_id_number_fkey FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number),
  constraint attempts_are_sound CHECK (attempt_is_sound(attempt, state, card_last4, account_id, method))
);
CREATE INDEX attempts_challenged ON attempts USING btree (merchant_id, challenged_from) WHERE (challenged_from IS NOT NULL);
CREATE INDEX attempts_due ON attempts USING btree (next_check_at) WHERE (state = ANY (ARRAY['started'::text, 'action_required'::text, 'submitted'::text, 'unknown'::text, 'surplus'::text, 'left_open'::text]));
CREATE INDEX attempts_for_a_person ON attempts USING btree (merchant_id, updated_at) WHERE (state = ANY (ARRAY['held'::text, 'surplus'::text]));
CREATE INDEX attempts_of_charge ON attempts USING btree (merchant_id, charge_reference) WHERE (charge_reference IS NOT NULL);
CREATE INDEX attempts_of_reference ON attempts USING btree (merchant_id, connector_reference) WHERE (account_id IS NOT NULL);
CREATE UNIQUE INDEX attempts_one_in_flight ON attempts USING btree (merchant_id, number) WHERE (state = ANY (ARRAY['started'::text, 'action_required'::text, 'submitted'::text, 'unknown'::text, 'held'::text]));
CREATE UNIQUE INDEX attempts_one_succeeded ON attempts USING btree (merchant_id, number) WHERE (state = 'succeeded'::text);
CREATE INDEX attempts_paid_by_card ON attempts USING btree (merchant_id, card_last4, started_at) WHERE ((state = 'succeeded'::text) AND (card_last4 IS NOT NULL));
CREATE INDEX attempts_unknown ON attempts USING btree (merchant_id, started_at) WHERE (state = 'unknown'::text);

create table audit_log (
  merchant_id integer not null,
  id text collate "C" not null,
  at timestamp with time zone not null default clock_timestamp(),
  actor_kind text collate "C" not null,
  actor text collate "C" not null,
  address text collate "C",
  request_id text collate "C",
  action text collate "C" not null,
  subject text collate "C" not null,
  before json,
  after json,
  constraint audit_log_pkey PRIMARY KEY (merchant_id, id),
  constraint audit_log_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['key'::text, 'command_line'::text, 'system'::text, 'person'::text]))),
  constraint audit_log_id_check CHECK ((id ~ '^aud_[0-9A-Za-z]{16}$'::text))
);
CREATE INDEX audit_log_newest ON audit_log USING btree (merchant_id, at, id);
CREATE INDEX audit_log_newest_of_all ON audit_log USING btree (at);
CREATE INDEX audit_log_of_kind ON audit_log USING btree (merchant_id, split_part(action, '.'::text, 1), at, id);
CREATE INDEX audit_log_of_subject ON audit_log USING btree (merchant_id, subject, at, id);

create table balances (
  merchant_id integer not null,
  account_id text collate "C" not null,
  currency text collate "C" not null,
  mode text collate "C" not null,
  connector text collate "C" not null,
  sales_minor bigint not null default 0,
  fees_minor bigint not null default 0,
  taxes_minor bigint not null default 0,
  held_minor bigint not null default 0,
  on_its_way_minor bigint not null default 0,
  arrived_minor bigint not null default 0,
  difference_minor bigint,
  constraint balances_pkey PRIMARY KEY (merchant_id, account_id, currency),
  constraint balances_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint balances_sum_is_zero CHECK (((((((sales_minor + fees_minor) + taxes_minor) + held_minor) + on_its_way_minor) + arrived_minor) = 0))
);

create table bank_entries (
  merchant_id integer not null,
  mode text collate "C" not null,
  account text collate "C" not null,
  entry text collate "C" not null,
  booked_on date not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  description text not null,
  payout_id text collate "C",
  matched_by text collate "C",
  seen_at timestamp with time zone not null default now(),
  constraint bank_entries_pkey PRIMARY KEY (merchant_id, mode, account, entry),
  constraint bank_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint bank_entries_of_payouts FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id, id),
  constraint bank_entries_matched_by_check CHECK ((matched_by = ANY (ARRAY['reference'::text, 'amount'::text, 'return'::text]))),
  constraint bank_entries_matched_whole CHECK (((payout_id IS NULL) = (matched_by IS NULL))),
  constraint bank_entries_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX bank_entries_newest ON bank_entries USING btree (merchant_id, mode, booked_on);
CREATE UNIQUE INDEX bank_entries_one_per_payout ON bank_entries USING btree (merchant_id, payout_id) WHERE (matched_by <> 'return'::text);

create table bookkeeping (
  merchant_id integer not null,
  consultant_number integer,
  client_number integer,
  fiscal_year_month integer not null default 1,
  account_length integer not null default 4,
  chart text collate "C" not null default ''::text,
  constraint bookkeeping_pkey PRIMARY KEY (merchant_id),
  constraint bookkeeping_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint bookkeeping_account_length_check CHECK (((account_length >= 4) AND (account_length <= 8))),
  constraint bookkeeping_chart_check CHECK ((chart = ANY (ARRAY[''::text, '03'::text, '04'::text]))),
  constraint bookkeeping_client_number_check CHECK (((client_number >= 1) AND (client_number <= 99999))),
  constraint bookkeeping_consultant_number_check CHECK (((consultant_number >= 1001) AND (consultant_number <= 9999999))),
  constraint bookkeeping_fiscal_year_month_check CHECK (((fiscal_year_month >= 1) AND (fiscal_year_month <= 12)))
);

create table bookkeeping_accounts (
  merchant_id integer not null,
  purpose text collate "C" not null,
  connector text collate "C" not null default ''::text,
  account text collate "C" not null,
  constraint bookkeeping_accounts_pkey PRIMARY KEY (merchant_id, purpose, connector),
  constraint bookkeeping_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint bookkeeping_accounts_account_check CHECK (((account ~ '^[0-9]{1,9}$'::text) AND (account ~ '[1-9]'::text))),
  constraint bookkeeping_accounts_of_networks CHECK (((purpose = 'clearing'::text) = (connector <> ''::text))),
  constraint bookkeeping_accounts_purpose_check CHECK ((purpose = ANY (ARRAY['sales'::text, 'fees'::text, 'fee_tax'::text, 'other'::text, 'bank'::text, 'clearing'::text])))
);

create table callback_events (
  merchant_id integer not null,
  account_id text collate "C" not null,
  event_id text collate "C" not null,
  connector text collate "C" not null,
  about text collate "C" not null,
  number text collate "C",
  idempotency_key text collate "C",
  reference text collate "C",
  state text collate "C" not null default 'waiting'::text,
  tries integer not null default 0,
  next_try_at timestamp with time zone,
  received_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint callback_events_pkey PRIMARY KEY (merchant_id, account_id, event_id),
  constraint callback_events_about_check CHECK ((about = ANY (ARRAY['order'::text, 'refund'::text, 'dispute'::text, 'payout'::text, 'method'::text]))),
  constraint callback_events_check CHECK (((state = 'waiting'::text) = (next_try_at IS NOT NULL))),
  constraint callback_events_check1 CHECK (((state = 'waiting'::text) = (finished_at IS NULL))),
  constraint callback_events_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'unknown'::text, 'given_up'::text])))
);
CREATE INDEX callback_events_due ON callback_events USING btree (merchant_id, next_try_at) WHERE (state = 'waiting'::text);
CREATE INDEX callback_events_old ON callback_events USING btree (merchant_id, finished_at) WHERE (state <> 'waiting'::text);
CREATE INDEX callback_events_seen ON callback_events USING btree (merchant_id, account_id, received_at);

create table card_attacks (
  merchant_id integer not null,
  mode text collate "C" not null,
  declines integer not null,
  counted_from timestamp with time zone not null,
  since timestamp with time zone,
  until timestamp with time zone,
  constraint card_attacks_pkey PRIMARY KEY (merchant_id, mode),
  constraint card_attacks_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint card_attacks_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX card_attacks_lately ON card_attacks USING btree (until) WHERE (until IS NOT NULL);

create table connector_accounts (
  merchant_id integer not null,
  id text collate "C" not null,
  connector text collate "C" not null,
  label text not null,
  sandbox boolean not null,
  credentials bytea not null,
  callbacks text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  checked_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone,
  marks text[] not null default '{}'::text[],
  constraint connector_accounts_pkey PRIMARY KEY (merchant_id, id),
  constraint connector_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint connector_accounts_callbacks_check CHECK ((callbacks = ANY (ARRAY['set_up'::text, 'missing'::text, 'unknown'::text]))),
  constraint connector_accounts_id_check CHECK ((id ~ '^acc_[0-9a-zA-Z]{16}$'::text)),
  constraint connector_accounts_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 200))),
  constraint connector_accounts_marks_check CHECK ((cardinality(marks) <= 20))
);
CREATE UNIQUE INDEX connector_accounts_one_living ON connector_accounts USING btree (merchant_id, connector) WHERE (removed_at IS NULL);

create table daily_total_changes (
  merchant_id integer not null,
  id uuid not null default gen_random_uuid(),
  mode text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  paid bigint not null default 0,
  paid_minor bigint not null default 0,
  unpaid bigint not null default 0,
  refunds bigint not null default 0,
  refunded_minor bigint not null default 0,
  reversed bigint not null default 0,
  reversed_minor bigint not null default 0,
  minute smallint not null default 720,
  fee_minor bigint not null default 0,
  constraint daily_total_changes_pkey PRIMARY KEY (merchant_id, id)
);

create table daily_totals (
  merchant_id integer not null,
  mode text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  paid bigint not null default 0,
  paid_minor bigint not null default 0,
  unpaid bigint not null default 0,
  refunds bigint not null default 0,
  refunded_minor bigint not null default 0,
  reversed bigint not null default 0,
  reversed_minor bigint not null default 0,
  minute smallint not null default 720,
  fee_minor bigint not null default 0,
  constraint daily_totals_pkey PRIMARY KEY (merchant_id, mode, day, minute, currency)
);

create table decline_levels (
  merchant_id integer not null,
  mode text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  level double precision not null,
  level_at timestamp with time zone not null,
  constraint decline_levels_pkey PRIMARY KEY (merchant_id, mode, kind, name),
  constraint decline_levels_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint decline_levels_kind_check CHECK ((kind = ANY (ARRAY['address'::text, 'card'::text]))),
  constraint decline_levels_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX decline_levels_to_forget ON decline_levels USING btree (level_at);

create table deliveries (
  merchant_id integer not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  mode text collate "C" not null,
  event text collate "C" not null,
  number text collate "C",
  target text not null,
  origin text collate "C" not null,
  body text not null,
  state text collate "C" not null,
  tries integer not null default 0,
  step integer not null default 0,
  next_try_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  endpoint_id text collate "C",
  dialect text collate "C",
  constraint deliveries_pkey PRIMARY KEY (merchant_id, id),
  constraint deliveries_are_sound CHECK (delivery_is_sound(kind, mode, state, next_try_at))
);
CREATE INDEX deliveries_due ON deliveries USING btree (merchant_id, mode, origin, next_try_at) WHERE (state = 'waiting'::text);
CREATE INDEX deliveries_failed ON deliveries USING btree (merchant_id, mode, origin, created_at, id) WHERE ((kind = 'ipn'::text) AND (state = 'failed'::text));
CREATE INDEX deliveries_kept_mail ON deliveries USING btree (merchant_id, mode, created_at DESC, id DESC) WHERE ((kind = 'mail'::text) AND (state = 'kept'::text));
CREATE INDEX deliveries_live_mail ON deliveries USING btree (merchant_id, mode, created_at, id) WHERE ((kind = 'mail'::text) AND (mode = 'live'::text));
CREATE INDEX deliveries_newest ON deliveries USING btree (merchant_id, mode, created_at, id) WHERE (kind = 'ipn'::text);
CREATE INDEX deliveries_of_payment ON deliveries USING btree (merchant_id, number) WHERE (number IS NOT NULL);
CREATE INDEX deliveries_paused ON deliveries USING btree (merchant_id, mode, origin, created_at, id) WHERE (state = 'paused'::text);
CREATE INDEX deliveries_to_address ON deliveries USING btree (merchant_id, lower(target)) WHERE ((kind = 'mail'::text) AND (mode = 'live'::text));
CREATE INDEX deliveries_to_prune ON deliveries USING btree (merchant_id, kind, created_at) WHERE ((state <> 'waiting'::text) AND (state <> 'paused'::text) AND (body <> ''::text));

create table delivery_attempts (
  merchant_id integer not null,
  delivery_id text collate "C" not null,
  attempt integer not null,
  at timestamp with time zone not null,
  ms integer not null,
  status integer,
  error text collate "C",
  answer text,
  constraint delivery_attempts_pkey PRIMARY KEY (merchant_id, delivery_id, attempt),
  constraint delivery_attempts_merchant_id_delivery_id_fkey FOREIGN KEY (merchant_id, delivery_id) REFERENCES deliveries(merchant_id, id)
);

create table dispute_history (
  merchant_id integer not null,
  dispute_id text collate "C" not null,
  place integer not null,
  at timestamp with time zone not null,
  state text collate "C" not null,
  reason text not null,
  evidence_due_at timestamp with time zone,
  money_taken boolean not null,
  constraint dispute_history_pkey PRIMARY KEY (merchant_id, dispute_id, place),
  constraint dispute_history_merchant_id_dispute_id_fkey FOREIGN KEY (merchant_id, dispute_id) REFERENCES disputes(merchant_id, id)
);

create table dispute_replies (
  merchant_id integer not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  state text collate "C" not null,
  parts text[] not null,
  actor text collate "C" not null,
  failure text,
  requested_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint dispute_replies_pkey PRIMARY KEY (merchant_id, id),
  constraint dispute_replies_merchant_id_dispute_id_fkey FOREIGN KEY (merchant_id, dispute_id) REFERENCES disputes(merchant_id, id),
  constraint dispute_replies_check CHECK (((ended_at IS NULL) = (state = 'requested'::text))),
  constraint dispute_replies_failure_check CHECK ((char_length(failure) <= 500)),
  constraint dispute_replies_kind_check CHECK ((kind = ANY (ARRAY['evidence'::text, 'acceptance'::text]))),
  constraint dispute_replies_parts_check CHECK ((cardinality(parts) <= 20)),
  constraint dispute_replies_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'sent'::text, 'refused'::text, 'not_sent'::text])))
);
CREATE INDEX dispute_replies_of_dispute ON dispute_replies USING btree (merchant_id, dispute_id);
CREATE UNIQUE INDEX dispute_replies_one_open ON dispute_replies USING btree (merchant_id, dispute_id) WHERE (state = 'requested'::text);

create table disputes (
  merchant_id integer not null,
  id text collate "C" not null,
  mode text collate "C" not null,
  number text collate "C" not null,
  tx_ref text collate "C" not null,
  connector text collate "C" not null,
  account_id text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null,
  reason text not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  evidence_due_at timestamp with time zone,
  money_taken boolean not null,
  asks integer not null,
  answered integer not null,
  checks integer not null default 0,
  next_check_at timestamp with time zone,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint disputes_pkey PRIMARY KEY (merchant_id, id),
  constraint disputes_reference_once UNIQUE (merchant_id, connector, reference),
  constraint disputes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint disputes_of_payments FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number),
  constraint disputes_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint disputes_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint disputes_state_check CHECK ((state = ANY (ARRAY['evidence_due'::text, 'under_review'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX disputes_newest ON disputes USING btree (merchant_id, mode, opened_at, id);
CREATE INDEX disputes_of_payment ON disputes USING btree (merchant_id, number);
CREATE INDEX disputes_of_state ON disputes USING btree (merchant_id, mode, state, opened_at, id);
CREATE INDEX disputes_of_tx_ref ON disputes USING btree (merchant_id, mode, tx_ref, opened_at, id);
CREATE INDEX disputes_to_answer ON disputes USING btree (merchant_id, mode, evidence_due_at, id) WHERE (state = 'evidence_due'::text);
CREATE INDEX disputes_to_check ON disputes USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);

create table endpoint_secrets (
  merchant_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone,
  constraint endpoint_secrets_pkey PRIMARY KEY (merchant_id, endpoint_id, id),
  constraint endpoint_secrets_of_endpoints FOREIGN KEY (merchant_id, endpoint_id) REFERENCES endpoints(merchant_id, id)
);
CREATE UNIQUE INDEX endpoint_secrets_one_current ON endpoint_secrets USING btree (merchant_id, endpoint_id) WHERE (ends_at IS NULL);

create table endpoints (
  merchant_id integer not null,
  id text collate "C" not null,
  mode text collate "C" not null,
  slot integer not null,
  url text collate "C" not null,
  description text not null default ''::text,
  events text[],
  listens_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint endpoints_pkey PRIMARY KEY (merchant_id, id),
  constraint endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint endpoints_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint endpoints_some_events CHECK ((cardinality(events) > 0)),
  constraint endpoints_ten_slots CHECK ((((url <> ''::text) AND (listens_until IS NULL) AND ((slot >= 1) AND (slot <= 10))) OR ((url = ''::text) AND (listens_until IS NOT NULL) AND (mode = 'test'::text) AND ((slot >= 11) AND (slot <= 15)))))
);
CREATE UNIQUE INDEX endpoints_one_per_slot ON endpoints USING btree (merchant_id, mode, slot);
CREATE UNIQUE INDEX endpoints_one_per_url ON endpoints USING btree (merchant_id, mode, url) WHERE (url <> ''::text);

create table entries (
  merchant_id integer not null,
  account_id text collate "C" not null,
  source text collate "C" not null,
  mode text collate "C" not null,
  currency text collate "C" not null,
  at timestamp with time zone not null,
  sales_minor bigint not null default 0,
  fees_minor bigint not null default 0,
  taxes_minor bigint not null default 0,
  held_minor bigint not null default 0,
  on_its_way_minor bigint not null default 0,
  arrived_minor bigint not null default 0,
  constraint entries_pkey PRIMARY KEY (merchant_id, account_id, source),
  constraint entries_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint entries_move_money CHECK (((sales_minor <> 0) OR (fees_minor <> 0) OR (taxes_minor <> 0) OR (held_minor <> 0) OR (on_its_way_minor <> 0) OR (arrived_minor <> 0))),
  constraint entries_sum_is_zero CHECK (((((((sales_minor + fees_minor) + taxes_minor) + held_minor) + on_its_way_minor) + arrived_minor) = 0))
);

create table form_refusals (
  merchant_id integer not null,
  mode text collate "C" not null,
  at timestamp with time zone not null,
  request_id text collate "C" not null,
  code text collate "C" not null,
  message text not null,
  errors json,
  tx_ref text collate "C",
  constraint form_refusals_pkey PRIMARY KEY (merchant_id, mode, at, request_id),
  constraint form_refusals_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint form_refusals_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table installation_accounts (
  id text collate "C" not null,
  connector text collate "C" not null,
  label text not null,
  sandbox boolean not null,
  credentials bytea not null,
  callbacks text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  checked_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone,
  marks text[] not null default '{}'::text[],
  constraint installation_accounts_pkey PRIMARY KEY (id),
  constraint installation_accounts_callbacks_check CHECK ((callbacks = ANY (ARRAY['set_up'::text, 'missing'::text, 'unknown'::text]))),
  constraint installation_accounts_id_check CHECK ((id ~ '^acc_[0-9a-zA-Z]{16}$'::text)),
  constraint installation_accounts_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 200))),
  constraint installation_accounts_marks_check CHECK ((cardinality(marks) <= 20))
);
CREATE UNIQUE INDEX installation_accounts_one_living ON installation_accounts USING btree (connector) WHERE (removed_at IS NULL);

create table installation_secrets (
  name text collate "C" not null,
  secret bytea,
  created_at timestamp with time zone not null default now(),
  sealed bytea,
  constraint installation_secrets_pkey PRIMARY KEY (name),
  constraint installation_secrets_sealed_or_plain CHECK (((secret IS NULL) <> (sealed IS NULL))),
  constraint installation_secrets_secret_check CHECK ((octet_length(secret) = 32))
);

create table installation_times (
  name text collate "C" not null,
  at timestamp with time zone not null,
  constraint installation_times_pkey PRIMARY KEY (name)
);

create table invitations (
  merchant_id integer not null,
  id text collate "C" not null,
  email text not null,
  role text collate "C" not null,
  hash bytea not null,
  invited_by text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (merchant_id, id),
  constraint invitations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'support'::text, 'bookkeeper'::text, 'viewer'::text])))
);
CREATE UNIQUE INDEX invitations_once ON invitations USING btree (merchant_id, lower(email));

create table keys (
  merchant_id integer not null,
  id text not null,
  kind text not null,
  mode text,
  hash bytea not null,
  hint text not null,
  name text not null,
  form_hosts text[],
  form_currencies text[],
  form_min_minor bigint,
  form_max_minor bigint,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  ends_at timestamp with time zone,
  revoked_at timestamp with time zone,
  exposed_at timestamp with time zone,
  form_callback_hosts text[],
  form_tx_ref_prefix text,
  form_shows_title boolean,
  form_secret bytea,
  may_refund boolean not null default true,
  dialect text collate "C" not null default 'florin'::text,
  constraint keys_pkey PRIMARY KEY (merchant_id, id),
  constraint keys_hash_once UNIQUE (merchant_id, hash),
  constraint keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint keys_check CHECK ((form_max_minor >= form_min_minor)),
  constraint keys_check1 CHECK (((kind = 'api'::text) = (mode IS NULL))),
  constraint keys_check2 CHECK (((kind = 'form'::text) OR ((form_hosts IS NULL) AND (form_currencies IS NULL) AND (form_min_minor IS NULL) AND (form_max_minor IS NULL)))),
  constraint keys_dialect_check CHECK (((dialect = ANY (ARRAY['florin'::text, 'family'::text])) AND ((dialect = 'florin'::text) OR (kind <> 'api'::text)))),
  constraint keys_form_columns CHECK (((kind = 'form'::text) OR ((form_callback_hosts IS NULL) AND (form_tx_ref_prefix IS NULL) AND (form_shows_title IS NULL) AND (form_secret IS NULL)))),
  constraint keys_form_min_minor_check CHECK ((form_min_minor > 0)),
  constraint keys_hash_check CHECK ((octet_length(hash) = 32)),
  constraint keys_id_check CHECK ((id ~ '^key_[0-9a-zA-Z]{16}$'::text)),
  constraint keys_kind_check CHECK ((kind = ANY (ARRAY['secret'::text, 'form'::text, 'api'::text]))),
  constraint keys_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);

create table known_devices (
  person_id text collate "C" not null,
  hash bytea not null,
  seen_at timestamp with time zone not null,
  constraint known_devices_pkey PRIMARY KEY (person_id, hash),
  constraint known_devices_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
);
CREATE INDEX known_devices_by_hash ON known_devices USING btree (hash);

create table link_payments (
  merchant_id integer not null,
  link_id text collate "C" not null,
  tx_ref text collate "C" not null,
  state text collate "C" not null default 'open'::text,
  created_at timestamp with time zone not null,
  look_at timestamp with time zone not null,
  constraint link_payments_pkey PRIMARY KEY (merchant_id, link_id, tx_ref),
  constraint link_payments_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint link_payments_of_links FOREIGN KEY (merchant_id, link_id) REFERENCES links(merchant_id, id),
  constraint link_payments_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'over'::text])))
);
CREATE INDEX link_payments_newest ON link_payments USING btree (merchant_id, link_id, created_at, tx_ref);
CREATE INDEX link_payments_open ON link_payments USING btree (merchant_id, link_id, created_at) WHERE (state = 'open'::text);
CREATE INDEX link_payments_to_look ON link_payments USING btree (look_at) WHERE (state = 'open'::text);

create table links (
  merchant_id integer not null,
  id text collate "C" not null,
  mode text collate "C" not null,
  kind text collate "C" not null,
  asks_customer boolean not null,
  title text not null,
  description text,
  currency text collate "C" not null,
  amount_minor bigint,
  least_minor bigint,
  most_minor bigint,
  stock integer,
  taken integer not null default 0,
  paid integer not null default 0,
  paid_minor bigint not null default 0,
  ends_at timestamp with time zone,
  paused_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint links_pkey PRIMARY KEY (merchant_id, id),
  constraint links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint links_amount_fixed_or_open CHECK (((amount_minor IS NULL) OR ((least_minor IS NULL) AND (most_minor IS NULL)))),
  constraint links_amount_minor_check CHECK ((amount_minor > 0)),
  constraint links_kind_check CHECK ((kind = ANY (ARRAY['single'::text, 'reusable'::text]))),
  constraint links_least_below_most CHECK ((least_minor <= most_minor)),
  constraint links_least_minor_check CHECK ((least_minor > 0)),
  constraint links_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint links_most_minor_check CHECK ((most_minor > 0)),
  constraint links_never_oversold CHECK (((taken >= 0) AND ((stock IS NULL) OR (taken <= stock)))),
  constraint links_paid_were_taken CHECK (((paid >= 0) AND (paid <= taken))),
  constraint links_stock_check CHECK ((stock > 0))
);
CREATE INDEX links_newest ON links USING btree (merchant_id, mode, created_at, id);

create table memberships (
  merchant_id integer not null,
  person_id text collate "C" not null,
  role text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  monthly_summary boolean not null default false,
  constraint memberships_pkey PRIMARY KEY (merchant_id, person_id),
  constraint memberships_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'support'::text, 'bookkeeper'::text, 'viewer'::text])))
);
CREATE INDEX memberships_of_person ON memberships USING btree (person_id);

create table merchant_brands (
  merchant_id integer not null,
  colour text collate "C",
  website text,
  support_email text,
  support_phone text,
  postal_address text,
  company_number text,
  vat_number text,
  time_zone text collate "C",
  statement_descriptor text collate "C",
  embed_hosts text[] not null default '{}'::text[],
  logo_id text collate "C",
  updated_at timestamp with time zone not null default now(),
  languages text[] not null default '{}'::text[],
  receipt_first boolean not null default false,
  country text collate "C",
  method_order text[] not null default '{}'::text[],
  terms_url text,
  privacy_url text,
  legal_notice_url text,
  constraint merchant_brands_pkey PRIMARY KEY (merchant_id),
  constraint merchant_brands_logo_is_there FOREIGN KEY (merchant_id, logo_id) REFERENCES pictures(merchant_id, id),
  constraint merchant_brands_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_brands_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchant_brands_company_number_check CHECK ((char_length(company_number) <= 50)),
  constraint merchant_brands_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint merchant_brands_embed_hosts_check CHECK ((cardinality(embed_hosts) <= 20)),
  constraint merchant_brands_languages_check CHECK ((cardinality(languages) <= 20)),
  constraint merchant_brands_legal_notice_url_check CHECK ((char_length(legal_notice_url) <= 2000)),
  constraint merchant_brands_method_order_check CHECK ((cardinality(method_order) <= 10)),
  constraint merchant_brands_postal_address_check CHECK ((char_length(postal_address) <= 500)),
  constraint merchant_brands_privacy_url_check CHECK ((char_length(privacy_url) <= 2000)),
  constraint merchant_brands_statement_descriptor_check CHECK (((char_length(statement_descriptor) >= 5) AND (char_length(statement_descriptor) <= 22))),
  constraint merchant_brands_support_email_check CHECK ((char_length(support_email) <= 254)),
  constraint merchant_brands_support_phone_check CHECK ((char_length(support_phone) <= 40)),
  constraint merchant_brands_terms_url_check CHECK ((char_length(terms_url) <= 2000)),
  constraint merchant_brands_time_zone_check CHECK ((char_length(time_zone) <= 64)),
  constraint merchant_brands_vat_number_check CHECK ((char_length(vat_number) <= 50)),
  constraint merchant_brands_website_check CHECK ((char_length(website) <= 2000))
);

create table merchant_currencies (
  merchant_id integer not null,
  currency text not null,
  fee_fixed_minor bigint not null,
  is_on boolean not null default true,
  constraint merchant_currencies_pkey PRIMARY KEY (merchant_id, currency),
  constraint merchant_currencies_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_currencies_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint merchant_currencies_fee_fixed_minor_check CHECK ((fee_fixed_minor >= 0))
);

create table merchants (
  id integer not null,
  name text not null,
  live_enabled boolean not null default false,
  fee_basis_points integer not null default 140,
  forms_take_secret_keys boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  email text,
  refund_fees boolean not null default false,
  suspended_at timestamp with time zone,
  pay_within_minutes integer not null default 1440,
  is_demo boolean not null default false,
  idle_minutes integer not null default 720,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_demo_never_live CHECK ((NOT (is_demo AND live_enabled))),
  constraint merchants_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  constraint merchants_fee_basis_points_check CHECK (((fee_basis_points >= 0) AND (fee_basis_points <= 10000))),
  constraint merchants_id_check CHECK (((id >= 10000000) AND (id <= 99999999))),
  constraint merchants_idle_minutes_check CHECK (((idle_minutes >= 15) AND (idle_minutes <= 720))),
  constraint merchants_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint merchants_pay_within_minutes_check CHECK (((pay_within_minutes >= 30) AND (pay_within_minutes <= 43200)))
);
CREATE INDEX merchants_newest ON merchants USING btree (created_at, id);

create table monthly_summaries (
  merchant_id integer not null,
  month date not null,
  written_at timestamp with time zone not null default now(),
  constraint monthly_summaries_pkey PRIMARY KEY (merchant_id, month),
  constraint monthly_summaries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table openid_flows (
  hash bytea not null,
  purpose text collate "C" not null,
  about text collate "C" not null,
  started_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint openid_flows_pkey PRIMARY KEY (hash),
  constraint openid_flows_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'prove'::text, 'link'::text, 'join'::text])))
);

create table passkey_challenges (
  challenge text collate "C" not null,
  purpose text collate "C" not null,
  ends_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge)
);

create table passkeys (
  id text collate "C" not null,
  person_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  constraint passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);
CREATE INDEX passkeys_of_person ON passkeys USING btree (person_id);

create table payment_history (
  merchant_id integer not null,
  number text collate "C" not null,
  id bigint not null generated by default as identity,
  at timestamp with time zone not null default clock_timestamp(),
  event text collate "C" not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  attempt integer,
  actor text collate "C",
  constraint payment_history_pkey PRIMARY KEY (merchant_id, number, id),
  constraint payment_history_merchant_id_number_fkey FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number)
);

create table payment_notes (
  merchant_id integer not null,
  number text collate "C" not null,
  id text collate "C" not null,
  author text collate "C" not null,
  text text not null,
  created_at timestamp with time zone not null default now(),
  constraint payment_notes_pkey PRIMARY KEY (merchant_id, number, id),
  constraint payment_notes_of_payment FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number)
);

create table payments (
  merchant_id integer not null,
  number text collate "C" not null,
  mode text collate "C" not null,
  tx_ref text collate "C" not null,
  reference text collate "C" not null,
  type text collate "C" not null,
  state text collate "C" not null default 'pending'::text,
  late boolean not null default false,
  currency text collate "C" not null,
  amount_minor bigint not null,
  charge_minor bigint not null,
  refunded_minor bigint not null default 0,
  email text not null,
  first_name text not null,
  last_name text not null,
  callback_url text,
  return_url text,
  title text,
  description text,
  logo text,
  meta json,
  project_id text collate "C",
  idempotency_key text collate "C",
  body_hash bytea,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '24:00:00'::interval),
  language text collate "C",
  dispute json,
  refunds integer not null default 0,
  items json,
  invoice_number text,
  paid_at timestamp with time zone,
  paid_with json,
  failure_reason text collate "C",
  saving json,
  dialect text collate "C",
  booked boolean not null default false,
  constraint payments_pkey PRIMARY KEY (merchant_id, number),
  constraint payments_tx_ref_once UNIQUE (merchant_id, mode, tx_ref),
  constraint payments_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payments_are_sound CHECK (payment_is_sound(number, mode, tx_ref, type, state, late, currency, amount_minor, charge_minor, refunded_minor, idempotency_key, body_hash))
) with (fillfactor=85);
CREATE INDEX payments_by_email ON payments USING btree (merchant_id, mode, lower(email) text_pattern_ops, created_at DESC, number DESC);
CREATE INDEX payments_by_end ON payments USING btree (merchant_id, mode, COALESCE(paid_at, updated_at)) WHERE (state <> 'pending'::text);
CREATE INDEX payments_ended ON payments USING btree (merchant_id, mode, state, created_at, number) WHERE (state <> 'pending'::text);
CREATE UNIQUE INDEX payments_idempotency_key_once ON payments USING btree (merchant_id, mode, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX payments_newest ON payments USING btree (merchant_id, mode, created_at, number);
CREATE INDEX payments_not_booked ON payments USING btree (merchant_id, mode, COALESCE(paid_at, updated_at)) WHERE ((NOT booked) AND (state = ANY (ARRAY['success'::text, 'refunded'::text, 'reversed'::text])));
CREATE INDEX payments_of_currency ON payments USING btree (merchant_id, mode, currency, created_at, number);
CREATE INDEX payments_of_project ON payments USING btree (merchant_id, project_id, mode, created_at, number) WHERE (project_id IS NOT NULL);
CREATE INDEX payments_to_expire ON payments USING btree (expires_at) WHERE (state = 'pending'::text);

create table payout_feeds (
  merchant_id integer not null,
  account_id text collate "C" not null,
  connector text collate "C" not null,
  mode text collate "C" not null,
  asks bigint not null default 0,
  next_check_at timestamp with time zone not null,
  read_until timestamp with time zone,
  failing_since timestamp with time zone,
  problem text,
  compared_at timestamp with time zone,
  constraint payout_feeds_pkey PRIMARY KEY (merchant_id, account_id),
  constraint payout_feeds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payout_feeds_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX payout_feeds_due ON payout_feeds USING btree (next_check_at);

create table payout_history (
  merchant_id integer not null,
  payout_id text collate "C" not null,
  place integer not null,
  at timestamp with time zone not null,
  state text collate "C" not null,
  failure text,
  constraint payout_history_pkey PRIMARY KEY (merchant_id, payout_id, place),
  constraint payout_history_of_payouts FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id, id)
);

create table payout_line_sums (
  merchant_id integer not null,
  mode text collate "C" not null,
  hour timestamp with time zone not null,
  account_id text collate "C" not null,
  currency text collate "C" not null,
  kind text collate "C" not null,
  line_count integer not null,
  booking_count integer not null,
  gross_minor bigint not null,
  fee_minor bigint not null,
  tax_minor bigint not null,
  constraint payout_line_sums_pkey PRIMARY KEY (merchant_id, mode, hour, account_id, currency, kind),
  constraint payout_line_sums_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table payout_lines (
  merchant_id integer not null,
  account_id text collate "C" not null,
  reference text collate "C" not null,
  mode text collate "C" not null,
  kind text collate "C" not null,
  type text collate "C" not null,
  currency text collate "C" not null,
  gross_minor bigint not null,
  fee_minor bigint not null,
  tax_minor bigint not null,
  net_minor bigint not null,
  original_minor bigint,
  original_currency text collate "C",
  exchange_rate text collate "C",
  charge_reference text collate "C",
  refund_reference text collate "C",
  booked_at timestamp with time zone not null,
  available_at timestamp with time zone not null,
  payout_id text collate "C",
  number text collate "C",
  refund_id text collate "C",
  constraint payout_lines_pkey PRIMARY KEY (merchant_id, account_id, reference),
  constraint payout_lines_of_payouts FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts(merchant_id, id),
  constraint payout_lines_add_up CHECK ((net_minor = ((gross_minor - fee_minor) - tax_minor))),
  constraint payout_lines_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'dispute'::text, 'fee'::text, 'adjustment'::text, 'difference'::text]))),
  constraint payout_lines_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint payout_lines_original_whole CHECK (((original_minor IS NULL) = (original_currency IS NULL)))
);
CREATE INDEX payout_lines_booked ON payout_lines USING btree (merchant_id, mode, booked_at, account_id, reference);
CREATE INDEX payout_lines_of_payment ON payout_lines USING btree (merchant_id, number) WHERE (number IS NOT NULL);
CREATE INDEX payout_lines_of_payout ON payout_lines USING btree (merchant_id, payout_id, booked_at, reference) WHERE (payout_id IS NOT NULL);
CREATE INDEX payout_lines_unpaid ON payout_lines USING btree (merchant_id, account_id, available_at) WHERE (payout_id IS NULL);

create table payouts (
  merchant_id integer not null,
  id text collate "C" not null,
  mode text collate "C" not null,
  connector text collate "C" not null,
  account_id text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  arrives_on date,
  bank_reference text,
  failure text,
  lines text collate "C" not null default 'waiting'::text,
  line_count integer not null default 0,
  gross_minor bigint not null default 0,
  fee_minor bigint not null default 0,
  tax_minor bigint not null default 0,
  difference_minor bigint not null default 0,
  made_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  dealt_with_at timestamp with time zone,
  constraint payouts_pkey PRIMARY KEY (merchant_id, id),
  constraint payouts_reference_once UNIQUE (merchant_id, account_id, reference),
  constraint payouts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payouts_lines_are_the_amount CHECK (((lines <> 'copied'::text) OR (((gross_minor - fee_minor) - tax_minor) = amount_minor))),
  constraint payouts_lines_check CHECK ((lines = ANY (ARRAY['waiting'::text, 'copied'::text, 'untold'::text]))),
  constraint payouts_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint payouts_state_check CHECK ((state = ANY (ARRAY['announced'::text, 'on_its_way'::text, 'arrived'::text, 'failed'::text, 'returned'::text])))
);
CREATE INDEX payouts_newest ON payouts USING btree (merchant_id, mode, made_at, id);
CREATE INDEX payouts_of_state ON payouts USING btree (merchant_id, mode, state, made_at, id);

create table people (
  id text collate "C" not null,
  email text not null,
  name text not null,
  password_hash text collate "C",
  is_operator boolean not null default false,
  totp_sealed bytea,
  totp_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  former_password_hashes text[] collate "C" not null default '{}'::text[],
  constraint people_pkey PRIMARY KEY (id),
  constraint people_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  constraint people_id_check CHECK ((id ~ '^per_[0-9A-Za-z]{16}$'::text)),
  constraint people_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);
CREATE UNIQUE INDEX people_email_once ON people USING btree (lower(email));

create table person_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  person_id text collate "C" not null,
  email text,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint person_identities_pkey PRIMARY KEY (issuer, subject),
  constraint person_identities_once UNIQUE (person_id, issuer),
  constraint person_identities_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  constraint person_identities_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 255)))
);

create table person_links (
  hash bytea not null,
  kind text collate "C" not null,
  person_id text collate "C",
  email text,
  ends_at timestamp with time zone not null,
  replaced boolean not null default false,
  constraint person_links_pkey PRIMARY KEY (hash),
  constraint person_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  constraint person_links_kind_check CHECK ((kind = ANY (ARRAY['reset'::text, 'email'::text, 'sign_in'::text, 'sign_up'::text]))),
  constraint person_links_whose CHECK (((kind = 'sign_up'::text) = (person_id IS NULL)))
);
CREATE INDEX person_links_of_person ON person_links USING btree (person_id) WHERE (person_id IS NOT NULL);

create table pictures (
  merchant_id integer not null,
  id text collate "C" not null,
  source text,
  type text collate "C",
  width smallint,
  height smallint,
  bytes bytea,
  refused_for text,
  fetched_at timestamp with time zone not null default now(),
  constraint pictures_pkey PRIMARY KEY (merchant_id, id),
  constraint pictures_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint pictures_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 204800))),
  constraint pictures_height_check CHECK (((height >= 1) AND (height <= 1024))),
  constraint pictures_id_check CHECK ((id ~ '^[0-9a-f]{32}$'::text)),
  constraint pictures_refused_for_check CHECK ((char_length(refused_for) <= 200)),
  constraint pictures_source_check CHECK ((char_length(source) <= 2000)),
  constraint pictures_there_or_refused CHECK ((((bytes IS NOT NULL) AND (type IS NOT NULL) AND (width IS NOT NULL) AND (height IS NOT NULL) AND (refused_for IS NULL)) OR ((bytes IS NULL) AND (refused_for IS NOT NULL)))),
  constraint pictures_type_check CHECK ((type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  constraint pictures_width_check CHECK (((width >= 1) AND (width <= 1024)))
);
CREATE INDEX pictures_oldest ON pictures USING btree (merchant_id, fetched_at);

create table project_counts (
  merchant_id integer not null,
  live integer not null,
  constraint project_counts_pkey PRIMARY KEY (merchant_id),
  constraint project_counts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint project_counts_live_check CHECK ((live >= 0))
);

create table projects (
  merchant_id integer not null,
  id text collate "C" not null,
  name text collate "C" not null,
  name_folded text collate "C" not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint projects_pkey PRIMARY KEY (merchant_id, id),
  constraint projects_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint projects_id_check CHECK ((id ~ '^prj_[0-9A-Za-z]{16}$'::text)),
  constraint projects_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)))
);
CREATE INDEX projects_deleted ON projects USING btree (merchant_id, name_folded, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX projects_name_once ON projects USING btree (merchant_id, name_folded) INCLUDE (id) WHERE (deleted_at IS NULL);
CREATE INDEX projects_newest ON projects USING btree (merchant_id, created_at, id) INCLUDE (name_folded) WHERE (deleted_at IS NULL);
CREATE INDEX projects_search ON projects USING gin (merchant_id, name_folded gin_trgm_ops) WHERE (deleted_at IS NULL);

create table receivers (
  merchant_id integer not null,
  mode text collate "C" not null,
  origin text collate "C" not null,
  failing_since timestamp with time zone,
  paused_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  constraint receivers_pkey PRIMARY KEY (merchant_id, mode, origin),
  constraint receivers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint receivers_failed_in_order CHECK ((failing_since <= last_failed_at)),
  constraint receivers_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table recovery_codes (
  person_id text collate "C" not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (person_id, hash),
  constraint recovery_codes_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
);

create table refund_history (
  merchant_id integer not null,
  refund_id text collate "C" not null,
  place integer not null,
  at timestamp with time zone not null default clock_timestamp(),
  event text collate "C" not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  constraint refund_history_pkey PRIMARY KEY (merchant_id, refund_id, place),
  constraint refund_history_merchant_id_refund_id_fkey FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id)
);

create table refund_totals (
  merchant_id integer not null,
  number text collate "C" not null,
  amount_minor bigint not null,
  reserved_minor bigint not null,
  constraint refund_totals_pkey PRIMARY KEY (merchant_id, number),
  constraint refund_totals_merchant_id_number_fkey FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number),
  constraint refund_totals_at_most_all CHECK (((reserved_minor >= 0) AND (reserved_minor <= amount_minor)))
);

create table refunds (
  merchant_id integer not null,
  id text collate "C" not null,
  number text collate "C" not null,
  place integer not null,
  mode text collate "C" not null,
  refund_ref text collate "C" not null,
  tx_ref text collate "C" not null,
  reference text collate "C" not null,
  currency text collate "C" not null,
  state text collate "C" not null default 'requested'::text,
  amount_minor bigint not null,
  asked_all boolean not null,
  reason text,
  returns_fee boolean not null,
  fee_returned_minor bigint not null default 0,
  failure text,
  refund_reference text collate "C",
  refunded_before_minor bigint,
  sent_at timestamp with time zone,
  checks integer not null default 0,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint refunds_pkey PRIMARY KEY (merchant_id, id),
  constraint refunds_place_once UNIQUE (merchant_id, number, place),
  constraint refunds_ref_once UNIQUE (merchant_id, mode, refund_ref),
  constraint refunds_merchant_id_number_fkey FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number),
  constraint refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refunds_fee_of_what_went_back CHECK (((fee_returned_minor = 0) OR (state = 'succeeded'::text))),
  constraint refunds_fee_returned_minor_check CHECK ((fee_returned_minor >= 0)),
  constraint refunds_id_check CHECK ((id ~ '^rfd_[0-9A-Za-z]{16}$'::text)),
  constraint refunds_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint refunds_place_check CHECK ((place >= 1)),
  constraint refunds_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 255))),
  constraint refunds_refund_ref_check CHECK (((char_length(refund_ref) >= 1) AND (char_length(refund_ref) <= 255))),
  constraint refunds_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'submitted'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX refunds_newest ON refunds USING btree (merchant_id, mode, created_at, id);
CREATE INDEX refunds_of_reference ON refunds USING btree (merchant_id, refund_reference) WHERE (refund_reference IS NOT NULL);
CREATE INDEX refunds_of_state ON refunds USING btree (merchant_id, mode, state, created_at, id);
CREATE INDEX refunds_of_tx_ref ON refunds USING btree (merchant_id, mode, tx_ref, created_at, id);
CREATE INDEX refunds_to_check ON refunds USING btree (next_check_at) WHERE (state = ANY (ARRAY['requested'::text, 'submitted'::text]));

create table request_log (
  merchant_id integer not null,
  mode text collate "C" not null,
  at timestamp with time zone not null,
  id text collate "C" not null,
  request_id text collate "C" not null,
  key_id text collate "C" not null,
  method text collate "C" not null,
  path text not null,
  status smallint not null,
  duration_us integer not null,
  request_body text,
  answer_body text,
  warnings text,
  constraint request_log_pkey PRIMARY KEY (merchant_id, mode, at, id),
  constraint request_log_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint request_log_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text, 'none'::text])))
);
CREATE INDEX request_log_by_age ON request_log USING btree (at);
CREATE INDEX request_log_by_request ON request_log USING btree (merchant_id, request_id);

create table saved_method_charges (
  merchant_id integer not null,
  number text collate "C" not null,
  method_id text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  day date not null,
  mails_customer boolean not null default false,
  outcome text collate "C",
  reserved text collate "C",
  constraint saved_method_charges_pkey PRIMARY KEY (merchant_id, number),
  constraint saved_method_charges_of_payments FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number),
  constraint saved_method_charges_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'declined'::text, 'needs_customer'::text, 'method_ended'::text, 'network_silent'::text]))),
  constraint saved_method_charges_reserved_check CHECK ((reserved = ANY (ARRAY['method'::text, 'method_and_all'::text])))
);
CREATE INDEX saved_method_charges_of_method ON saved_method_charges USING btree (merchant_id, method_id, number);

create table saved_method_consents (
  merchant_id integer not null,
  number text collate "C" not null,
  at timestamp with time zone not null default clock_timestamp(),
  agreement text collate "C" not null,
  limit_minor bigint,
  currency text collate "C" not null,
  language text collate "C" not null,
  words text not null,
  address text collate "C",
  constraint saved_method_consents_pkey PRIMARY KEY (merchant_id, number, at),
  constraint saved_method_consents_of_payments FOREIGN KEY (merchant_id, number) REFERENCES payments(merchant_id, number)
);

create table saved_method_days (
  merchant_id integer not null,
  mode text collate "C" not null,
  method_id text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  charges integer not null,
  charges_max integer,
  charged_minor bigint not null,
  ceiling_minor bigint,
  constraint saved_method_days_pkey PRIMARY KEY (merchant_id, mode, method_id, currency, day),
  constraint saved_method_days_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint saved_method_days_charges_within_limit CHECK ((charges <= charges_max)),
  constraint saved_method_days_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint saved_method_days_not_negative CHECK ((charged_minor >= 0)),
  constraint saved_method_days_within_ceiling CHECK ((charged_minor <= ceiling_minor))
);

create table saved_method_rules (
  merchant_id integer not null,
  mode text collate "C" not null,
  stopped_at timestamp with time zone,
  ceilings json not null default '{}'::json,
  constraint saved_method_rules_pkey PRIMARY KEY (merchant_id, mode),
  constraint saved_method_rules_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint saved_method_rules_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table saved_methods (
  merchant_id integer not null,
  id text collate "C" not null,
  mode text collate "C" not null,
  customer_ref text collate "C" not null,
  agreement text collate "C" not null,
  limit_minor bigint,
  limit_currency text collate "C" not null,
  number text collate "C" not null,
  connector text collate "C" not null,
  account_id text collate "C",
  kind text collate "C" not null,
  brand text,
  last4 text collate "C",
  expires text collate "C",
  token bytea,
  saved_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  ended_by text collate "C",
  tries timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  retry_at timestamp with time zone,
  charged_at timestamp with time zone,
  forget_at timestamp with time zone,
  forget_tries integer not null default 0,
  forgotten_at timestamp with time zone,
  constraint saved_methods_pkey PRIMARY KEY (merchant_id, id),
  constraint saved_methods_once_per_payment UNIQUE (merchant_id, number),
  constraint saved_methods_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint saved_methods_agreement_check CHECK ((agreement = ANY (ARRAY['recurring'::text, 'unscheduled'::text]))),
  constraint saved_methods_end_is_whole CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint saved_methods_ended_by_check CHECK ((ended_by = ANY (ARRAY['merchant'::text, 'customer'::text, 'network'::text, 'erasure'::text]))),
  constraint saved_methods_expires_check CHECK ((expires ~ '^[0-9]{4}-[0-9]{2}$'::text)),
  constraint saved_methods_have_a_token CHECK (((token IS NULL) = (forgotten_at IS NOT NULL))),
  constraint saved_methods_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'debit'::text]))),
  constraint saved_methods_limit_minor_check CHECK ((limit_minor > 0)),
  constraint saved_methods_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint saved_methods_never_charged_after_end CHECK ((charged_at <= ended_at)),
  constraint saved_methods_tries_within_limit CHECK ((cardinality(tries) <= 15))
);
CREATE INDEX saved_methods_newest ON saved_methods USING btree (merchant_id, mode, saved_at, id);
CREATE INDEX saved_methods_of_customer ON saved_methods USING btree (merchant_id, mode, customer_ref, saved_at, id);
CREATE INDEX saved_methods_to_forget ON saved_methods USING btree (forget_at) WHERE (forget_at IS NOT NULL);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table search_entries (
  merchant_id integer not null,
  number text collate "C" not null,
  slice integer not null,
  text text collate "C" not null,
  grams integer[] not null,
  created_at timestamp with time zone not null,
  constraint search_entries_pkey PRIMARY KEY (merchant_id, number)
);
CREATE INDEX search_entries_grams ON search_entries USING gin (grams) WITH (fastupdate='on', gin_pending_list_limit='128');

create table search_slices (
  merchant_id integer not null,
  mode text collate "C" not null,
  slice integer not null,
  payments integer not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  until_number text collate "C" not null,
  constraint search_slices_pkey PRIMARY KEY (merchant_id, mode, slice),
  constraint search_slices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint search_slices_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint search_slices_slice_check CHECK ((slice > 0))
);

create table sessions (
  hash bytea not null,
  id text collate "C" not null,
  person_id text collate "C" not null,
  state text collate "C" not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  proved_at timestamp with time zone not null,
  device text not null,
  address text collate "C" not null,
  way text collate "C",
  wants_password boolean not null default false,
  constraint sessions_pkey PRIMARY KEY (hash),
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  constraint sessions_state_check CHECK ((state = ANY (ARRAY['half'::text, 'whole'::text])))
);
CREATE INDEX sessions_of_person ON sessions USING btree (person_id);

create table sign_in_waits (
  name text collate "C" not null,
  tries integer not null,
  last_at timestamp with time zone not null,
  free_at timestamp with time zone not null,
  constraint sign_in_waits_pkey PRIMARY KEY (name)
);

create table webhook_secrets (
  merchant_id integer not null,
  mode text collate "C" not null,
  secret text collate "C",
  created_at timestamp with time zone not null default clock_timestamp(),
  ends_at timestamp with time zone,
  id text collate "C" not null default (gen_random_uuid())::text,
  sealed bytea,
  constraint webhook_secrets_pkey PRIMARY KEY (merchant_id, mode, id),
  constraint webhook_secrets_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_secrets_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint webhook_secrets_sealed_or_plain CHECK (((secret IS NULL) <> (sealed IS NULL))),
  constraint webhook_secrets_secret_check CHECK ((secret ~ '^whsec_[A-Za-z0-9+/]{43}=$'::text))
);
CREATE UNIQUE INDEX webhook_secrets_one_current ON webhook_secrets USING btree (merchant_id, mode) WHERE (ends_at IS NULL);
CREATE INDEX webhook_secrets_plain ON webhook_secrets USING btree (merchant_id) WHERE (sealed IS NULL);

create table test_network.card_refunds (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  reference text collate "C" not null,
  charge_reference text collate "C" not null,
  amount_minor bigint not null,
  outcome text collate "C" not null,
  requested_at timestamp with time zone not null,
  told_from timestamp with time zone not null,
  constraint card_refunds_pkey PRIMARY KEY (merchant_id, idempotency_key),
  constraint card_refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint card_refunds_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text])))
);
CREATE INDEX card_refunds_of_charge ON test_network.card_refunds USING btree (merchant_id, charge_reference);

create table test_network.charges (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  payment_number text collate "C" not null,
  reference text collate "C" not null,
  outcome text collate "C" not null,
  reason text collate "C",
  amount_minor bigint,
  currency text collate "C",
  card_last4 text,
  told_from timestamp with time zone not null,
  received_at timestamp with time zone not null,
  disputed text collate "C",
  next_tell_at timestamp with time zone,
  saved_token text collate "C",
  reply text collate "C",
  replied_at timestamp with time zone,
  reply_key text collate "C",
  constraint charges_pkey PRIMARY KEY (merchant_id, idempotency_key),
  constraint charges_amount_minor_check CHECK ((amount_minor > 0)),
  constraint charges_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint charges_check CHECK (((outcome = 'declined'::text) = (reason IS NOT NULL))),
  constraint charges_check1 CHECK (((outcome = 'declined'::text) OR (amount_minor IS NOT NULL))),
  constraint charges_disputed_known CHECK ((disputed = ANY (ARRAY['won'::text, 'lost'::text, 'open'::text]))),
  constraint charges_outcome_check CHECK ((outcome = ANY (ARRAY['charged'::text, 'declined'::text, 'challenge'::text]))),
  constraint charges_reply_known CHECK (((reply = ANY (ARRAY['wins'::text, 'loses'::text, 'accepts'::text])) AND ((reply IS NULL) = (replied_at IS NULL))))
);
CREATE INDEX charges_disputed ON test_network.charges USING btree (merchant_id, reference) WHERE (disputed IS NOT NULL);
CREATE INDEX charges_of_payment ON test_network.charges USING btree (merchant_id, payment_number, received_at);
CREATE INDEX charges_of_reference ON test_network.charges USING btree (merchant_id, reference);
CREATE INDEX charges_to_tell ON test_network.charges USING btree (next_tell_at) WHERE (next_tell_at IS NOT NULL);

create table test_network.pages (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  payment_number text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null,
  amount_minor bigint,
  currency text collate "C",
  merchant_name text,
  description text,
  language text collate "C",
  return_url text,
  cancel_url text,
  opened_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  told_from timestamp with time zone not null,
  constraint pages_pkey PRIMARY KEY (merchant_id, idempotency_key),
  constraint pages_amount_minor_check CHECK ((amount_minor > 0)),
  constraint pages_check CHECK (((state = 'withdrawn'::text) OR (amount_minor IS NOT NULL))),
  constraint pages_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'refused'::text, 'withdrawn'::text])))
);
CREATE INDEX pages_of_payment ON test_network.pages USING btree (merchant_id, payment_number, opened_at);
CREATE UNIQUE INDEX pages_reference_once ON test_network.pages USING btree (merchant_id, reference);

create table test_network.payout_items (
  merchant_id integer not null,
  reference text collate "C" not null,
  payout_reference text collate "C" not null,
  constraint payout_items_pkey PRIMARY KEY (merchant_id, reference)
);
CREATE INDEX payout_items_of_payout ON test_network.payout_items USING btree (merchant_id, payout_reference);

create table test_network.payouts (
  merchant_id integer not null,
  reference text collate "C" not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  made_at timestamp with time zone not null,
  constraint payouts_pkey PRIMARY KEY (merchant_id, reference),
  constraint payouts_amount_minor_check CHECK ((amount_minor > 0))
);

create table test_network.refunds (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  reference text collate "C" not null,
  page_reference text collate "C" not null,
  amount_minor bigint not null,
  requested_at timestamp with time zone not null,
  constraint refunds_pkey PRIMARY KEY (merchant_id, idempotency_key),
  constraint refunds_amount_minor_check CHECK ((amount_minor > 0))
);
CREATE INDEX refunds_of_page ON test_network.refunds USING btree (merchant_id, page_reference);

create table test_network.saved_cards (
  merchant_id integer not null,
  token text collate "C" not null,
  payment_number text collate "C" not null,
  card_last4 text collate "C" not null,
  expires text collate "C" not null,
  forgotten_at timestamp with time zone,
  constraint saved_cards_pkey PRIMARY KEY (merchant_id, token)
);
CREATE INDEX saved_cards_of_payment ON test_network.saved_cards USING btree (merchant_id, payment_number);

extension btree_gin

extension pg_trgm

function attempt_is_sound(integer,text,text,text,text)

function audit_log_refuses_change()

function delivery_is_sound(text,text,text,timestamp with time zone)

function entries_never_change()

function forget_audit_entries(integer,timestamp with time zone,integer)

function live_payments_stay()

function payment_is_sound(text,text,text,text,text,boolean,text,bigint,bigint,bigint,text,bytea)

function payout_lines_never_change()

trigger audit_log_never_changes on audit_log

trigger audit_log_never_emptied on audit_log

trigger entries_never_change on entries

trigger live_payments_stay on payments

trigger payout_lines_never_change on payout_lines
