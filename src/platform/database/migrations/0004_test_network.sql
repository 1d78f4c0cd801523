-- The test network's own books, kept apart from ours as a live network's would be: what stands here is what really
-- happened, whatever our tables believe.
create schema test_network;

create table test_network.charges (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  payment_number text collate "C" not null,
  reference text collate "C" not null,
  -- challenge: nothing is charged until the customer approves.
  outcome text collate "C" not null check (outcome in ('charged', 'declined', 'challenge')),
  reason text collate "C",
  -- Null: withdrawn before it arrived.
  amount_minor bigint check (amount_minor > 0),
  currency text collate "C",
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  -- From when on the network tells its outcome to those who ask.
  told_from timestamptz not null,
  received_at timestamptz not null,
  primary key (merchant_id, idempotency_key),
  check ((outcome = 'declined') = (reason is not null)),
  check (outcome = 'declined' or amount_minor is not null)
);

create index charges_of_payment on test_network.charges (merchant_id, payment_number, received_at);
