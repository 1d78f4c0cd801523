-- Saved methods: a customer agrees once, and the merchant charges again without them.

-- Of a payment that saves its method, and of one that charges a saved method; null for all others, so that creating,
-- looking up and paying those costs nothing more.
alter table payments add column saving json;
-- The attempt that charges a saved method without the customer.
alter table attempts add column saved_method_id text collate "C";

create table saved_methods (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  -- The merchant's own name of the customer.
  customer_ref text collate "C" not null,
  agreement text collate "C" not null check (agreement in ('recurring', 'unscheduled')),
  -- The most that the customer agreed to per day, in this currency; null: no amount was named.
  limit_minor bigint check (limit_minor > 0),
  limit_currency text collate "C" not null,
  -- The payment that saved it: the customer's name and address stand there.
  number text collate "C" not null,
  connector text collate "C" not null,
  -- Null: the test network, which has no accounts.
  account_id text collate "C",
  kind text collate "C" not null check (kind in ('card', 'debit')),
  brand text,
  last4 text collate "C",
  -- The month in which it ends: 2029-08.
  expires text collate "C" check (expires ~ '^[0-9]{4}-[0-9]{2}$'),
  -- The network's token, sealed; null once the network has forgotten it.
  token bytea,
  saved_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_by text collate "C" check (ended_by in ('merchant', 'customer', 'network', 'erasure')),
  -- Every charge that was begun since the last one that succeeded, in the last 30 days. Card schemes allow 15.
  tries timestamptz[] not null default '{}',
  -- After a soft decline: no charge before.
  retry_at timestamptz,
  charged_at timestamptz,
  -- Once it has ended: when the network is told next, how often it was, and when it has forgotten it.
  forget_at timestamptz,
  forget_tries integer not null default 0,
  forgotten_at timestamptz,
  primary key (merchant_id, id),
  constraint saved_methods_once_per_payment unique (merchant_id, number),
  constraint saved_methods_tries_within_limit check (cardinality(tries) <= 15),
  constraint saved_methods_end_is_whole check ((ended_at is null) = (ended_by is null)),
  constraint saved_methods_never_charged_after_end check (charged_at <= ended_at),
  constraint saved_methods_have_a_token check ((token is null) = (forgotten_at is not null))
);
create index saved_methods_newest on saved_methods (merchant_id, mode, saved_at, id);
create index saved_methods_of_customer on saved_methods (merchant_id, mode, customer_ref, saved_at, id);
create index saved_methods_to_forget on saved_methods (forget_at) where forget_at is not null;

-- The evidence: the words on the page when the customer pressed the button. Never changed.
create table saved_method_consents (
  merchant_id integer not null,
  number text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  agreement text collate "C" not null,
  limit_minor bigint,
  currency text collate "C" not null,
  language text collate "C" not null,
  words text not null,
  -- Null once the customer was erased.
  address text collate "C",
  primary key (merchant_id, number, at),
  constraint saved_method_consents_of_payments foreign key (merchant_id, number) references payments (merchant_id, number)
);

-- Charges of saved methods. Each is a payment with the same number; its state stands there.
create table saved_method_charges (
  merchant_id integer not null,
  number text collate "C" not null,
  method_id text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  -- The day whose ceilings it counts for.
  day date not null,
  -- E-mail the customer a link if their bank wants them.
  mails_customer boolean not null default false,
  outcome text collate "C" check (outcome in ('succeeded', 'declined', 'needs_customer', 'method_ended', 'network_silent')),
  primary key (merchant_id, number),
  constraint saved_method_charges_of_payments foreign key (merchant_id, number) references payments (merchant_id, number)
);
create index saved_method_charges_of_method on saved_method_charges (merchant_id, method_id, number);

-- What was charged on a day, in UTC. method_id is '' for all of the merchant's methods together.
create table saved_method_days (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  method_id text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  charges integer not null,
  charges_max integer,
  charged_minor bigint not null,
  ceiling_minor bigint,
  primary key (merchant_id, mode, method_id, currency, day),
  constraint saved_method_days_charges_within_limit check (charges <= charges_max),
  constraint saved_method_days_within_ceiling check (charged_minor <= ceiling_minor)
);

-- A merchant's own rules for charges: a switch that stops them all, and ceilings per currency and day.
create table saved_method_rules (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  stopped_at timestamptz,
  -- {"GBP": {"method_minor": "5000", "all_minor": "100000"}}
  ceilings json not null default '{}',
  primary key (merchant_id, mode)
);

-- The test network's own records of cards that it saved.
create table test_network.saved_cards (
  merchant_id integer not null,
  token text collate "C" not null,
  payment_number text collate "C" not null,
  card_last4 text collate "C" not null,
  expires text collate "C" not null,
  forgotten_at timestamptz,
  primary key (merchant_id, token)
);
create index saved_cards_of_payment on test_network.saved_cards (merchant_id, payment_number);
alter table test_network.charges add column saved_token text collate "C";
