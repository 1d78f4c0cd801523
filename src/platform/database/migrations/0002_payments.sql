-- The checkout link of a payment is merchant_id followed by number. number is 24 random digits, so a link can't be
-- guessed; merchant_id in front makes every look-up a look-up within one merchant.
create table payments (
  merchant_id integer not null references merchants (id),
  number text collate "C" not null check (number ~ '^[0-9]{24}$'),
  mode text collate "C" not null check (mode in ('test', 'live')),
  tx_ref text collate "C" not null check (char_length(tx_ref) between 1 and 255),
  reference text collate "C" not null,
  type text collate "C" not null check (type in ('API', 'Form', 'Link')),
  state text collate "C" not null default 'pending'
    check (state in ('pending', 'success', 'failed', 'cancelled', 'expired', 'refunded', 'reversed')),
  late boolean not null default false,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  charge_minor bigint not null check (charge_minor >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
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
  -- Cleared after 24 hours, when the same key may be used again.
  idempotency_key text collate "C",
  body_hash bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (merchant_id, number),
  constraint payments_tx_ref_once unique (merchant_id, mode, tx_ref),
  check (refunded_minor = 0 or state in ('success', 'refunded', 'reversed')),
  check ((state = 'refunded') <= (refunded_minor = amount_minor)),
  check (not late or state in ('success', 'refunded', 'reversed')),
  check ((idempotency_key is null) = (body_hash is null))
)
-- Pending rows are updated at least once: room on the page keeps that update out of the indexes.
with (fillfactor = 85);

create unique index payments_idempotency_key_once on payments (merchant_id, mode, idempotency_key)
  where idempotency_key is not null;
-- One index per filter of the list, each in the list's own order: a page costs the same whatever the table holds.
create index payments_newest on payments (merchant_id, mode, created_at desc, number desc);
create index payments_of_currency on payments (merchant_id, mode, currency, created_at desc, number desc);
create index payments_of_email on payments (merchant_id, mode, lower(email), created_at desc, number desc);
create index payments_ended on payments (merchant_id, mode, state, created_at desc, number desc) where state <> 'pending';
create index payments_of_project on payments (merchant_id, project_id, mode, created_at desc, number desc) where project_id is not null;
create index payments_to_expire on payments (expires_at) where state = 'pending';

create table attempts (
  merchant_id integer not null,
  number text collate "C" not null,
  attempt integer not null check (attempt between 1 and 100),
  state text collate "C" not null default 'started'
    check (state in ('started', 'action_required', 'submitted', 'succeeded', 'declined', 'abandoned', 'unknown')),
  connector text collate "C" not null,
  -- What the connector gets, so that asking twice can't charge twice.
  idempotency_key text collate "C" not null,
  connector_reference text,
  decline_reason text,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  checks integer not null default 0,
  next_check_at timestamptz,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, number, attempt),
  foreign key (merchant_id, number) references payments (merchant_id, number),
  constraint attempts_idempotency_key_once unique (merchant_id, idempotency_key)
);

create unique index attempts_one_in_flight on attempts (merchant_id, number)
  where state in ('started', 'action_required', 'submitted', 'unknown');
create unique index attempts_one_succeeded on attempts (merchant_id, number) where state = 'succeeded';
create index attempts_to_check on attempts (next_check_at) where state in ('started', 'action_required', 'submitted', 'unknown');

create table payment_history (
  merchant_id integer not null,
  number text collate "C" not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  event text collate "C" not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  -- Null: a change of the payment; else of this attempt.
  attempt integer,
  primary key (merchant_id, number, id),
  foreign key (merchant_id, number) references payments (merchant_id, number)
);
