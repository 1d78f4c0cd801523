-- Money that goes back to a customer because the merchant said so.
create table refunds (
  merchant_id integer not null,
  -- Also the idempotency key that the network gets: committed before the network is called.
  id text collate "C" not null check (id ~ '^rfd_[0-9A-Za-z]{16}$'),
  number text collate "C" not null,
  -- Which refund of its payment, from 1: the order in which the network is asked.
  place integer not null check (place >= 1),
  mode text collate "C" not null check (mode in ('test', 'live')),
  refund_ref text collate "C" not null check (char_length(refund_ref) between 1 and 255),
  -- Of the payment; neither ever changes.
  tx_ref text collate "C" not null,
  reference text collate "C" not null,
  currency text collate "C" not null,
  state text collate "C" not null default 'requested' check (state in ('requested', 'submitted', 'succeeded', 'failed')),
  amount_minor bigint not null check (amount_minor > 0),
  -- The merchant named no amount: all that was left.
  asked_all boolean not null,
  reason text check (char_length(reason) between 1 and 255),
  -- As the merchant's plan said when it was asked for; what of the fee went back is known once the money did.
  returns_fee boolean not null,
  fee_returned_minor bigint not null default 0 check (fee_returned_minor >= 0),
  -- Why the network would not, in its own words.
  failure text,
  refund_reference text collate "C",
  -- What of the charge had gone back when the network was first asked: the same each time it is asked again.
  refunded_before_minor bigint,
  sent_at timestamptz,
  checks integer not null default 0,
  next_check_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, id),
  constraint refunds_ref_once unique (merchant_id, mode, refund_ref),
  constraint refunds_place_once unique (merchant_id, number, place),
  foreign key (merchant_id, number) references payments (merchant_id, number),
  constraint refunds_fee_of_what_went_back check (fee_returned_minor = 0 or state = 'succeeded')
);
create index refunds_newest on refunds (merchant_id, mode, created_at, id);
create index refunds_to_check on refunds (next_check_at) where state in ('requested', 'submitted');
create index refunds_of_reference on refunds (merchant_id, refund_reference) where refund_reference is not null;

create table refund_history (
  merchant_id integer not null,
  refund_id text collate "C" not null,
  place integer not null,
  at timestamptz not null default clock_timestamp(),
  event text collate "C" not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  primary key (merchant_id, refund_id, place),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id)
);

-- One row per payment with refunds. What is asked for and did not fail is reserved, and never more than was paid. On a
-- table of its own: each check of payments costs every create, and nearly no payment has a refund.
create table refund_totals (
  merchant_id integer not null,
  number text collate "C" not null,
  amount_minor bigint not null,
  reserved_minor bigint not null,
  primary key (merchant_id, number),
  foreign key (merchant_id, number) references payments (merchant_id, number),
  constraint refund_totals_at_most_all check (reserved_minor between 0 and amount_minor)
);

-- How many refunds were asked for, so that a look-up knows whether there are any without asking for them.
alter table payments add column refunds integer not null default 0;

-- Keys that can do all but give money back.
alter table keys add column may_refund boolean not null default true;
-- Whether the fee of what is refunded goes back to the merchant.
alter table merchants add column refund_fees boolean not null default false;

-- The test network's refunds of cards.
create table test_network.card_refunds (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  reference text collate "C" not null,
  charge_reference text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  outcome text collate "C" not null check (outcome in ('succeeded', 'failed')),
  requested_at timestamptz not null,
  -- From when on the network tells what became of it.
  told_from timestamptz not null,
  primary key (merchant_id, idempotency_key)
);
create index card_refunds_of_charge on test_network.card_refunds (merchant_id, charge_reference);
create index charges_of_reference on test_network.charges (merchant_id, reference);
