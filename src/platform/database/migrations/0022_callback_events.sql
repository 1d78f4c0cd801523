-- What networks told us to ask about, each event once. An event never says what happened: the worker asks the network.
create table callback_events (
  -- 0: an account of the installation got it, and it does not say whose it is. No reference to merchants: the number may
  -- come from the books of a network that other systems write to as well.
  merchant_id integer not null,
  account_id text collate "C" not null,
  event_id text collate "C" not null,
  connector text collate "C" not null,
  about text collate "C" not null check (about in ('order', 'refund', 'dispute')),
  number text collate "C",
  idempotency_key text collate "C",
  -- What the network calls the order, the refund or the dispute.
  reference text collate "C",
  -- done: asked about. unknown: about nothing of ours. given_up: asked for days without an answer.
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'done', 'unknown', 'given_up')),
  tries integer not null default 0,
  -- While it is worked on this is the end of the lease.
  next_try_at timestamptz,
  received_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, account_id, event_id),
  check ((state = 'waiting') = (next_try_at is not null)),
  check ((state = 'waiting') = (finished_at is null))
);

create index callback_events_due on callback_events (merchant_id, next_try_at) where state = 'waiting';
create index callback_events_old on callback_events (merchant_id, finished_at) where state <> 'waiting';
