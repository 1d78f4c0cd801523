-- Where a merchant is told that its receiver is paused.
alter table merchants add column email text check (char_length(email) between 3 and 254);

-- The language of the checkout page as the customer saw it, for the mails that follow.
alter table payments add column language text collate "C";

-- The outbox and its record. A row is written in the commit of the state change that it tells of; id is the
-- webhook-id, the same in every try, and body holds the exact bytes that every signature covers.
create table deliveries (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('ipn', 'mail')),
  mode text collate "C" not null check (mode in ('test', 'live')),
  event text collate "C" not null,
  -- Null: a sample, or mail to the merchant; else the payment that it tells of.
  number text collate "C",
  -- Where to: a URL or an address. Empty: nowhere, kept for a developer who listens.
  target text not null,
  -- Deliveries of one merchant to one origin queue together, apart from all others.
  origin text collate "C" not null,
  body text not null,
  -- waiting: next_try_at says when. paused: until the merchant resumes its origin. kept: never sent.
  -- skipped: mail over the daily limit.
  state text collate "C" not null
    check (state in ('waiting', 'delivered', 'failed', 'paused', 'skipped', 'kept')),
  -- Counted when a try begins, so that it also fences: a worker that was asleep past its lease holds an old number.
  tries integer not null default 0,
  -- How many pauses of the retry schedule are behind it.
  step integer not null default 0,
  -- While a try is under way this is the end of its lease.
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (merchant_id, id),
  check ((state = 'waiting') = (next_try_at is not null))
);

create index deliveries_due on deliveries (merchant_id, mode, origin, next_try_at) where state = 'waiting';
create index deliveries_paused on deliveries (merchant_id, mode, origin) where state = 'paused';
create index deliveries_of_payment on deliveries (merchant_id, number) where number is not null;
create index deliveries_to_address on deliveries (merchant_id, target, created_at) where kind = 'mail';
create index deliveries_to_follow on deliveries (merchant_id, created_at) where kind = 'ipn' and mode = 'test';

create table delivery_attempts (
  merchant_id integer not null,
  delivery_id text collate "C" not null,
  attempt integer not null,
  at timestamptz not null,
  ms integer not null,
  status integer,
  error text collate "C",
  -- The first 1 KiB of the answer, as text.
  answer text,
  primary key (merchant_id, delivery_id, attempt),
  foreign key (merchant_id, delivery_id) references deliveries (merchant_id, id)
);

-- Origins that are in trouble. A row appears with a failure; success clears failing_since.
create table receivers (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  origin text collate "C" not null,
  failing_since timestamptz,
  paused_at timestamptz,
  primary key (merchant_id, mode, origin)
);

-- Kept as it is: signing needs the secret itself, and whoever can read this table can read the payments too.
create table webhook_secrets (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  secret text collate "C" not null check (secret ~ '^whsec_[A-Za-z0-9+/]{43}=$'),
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz,
  primary key (merchant_id, mode, secret)
);

create unique index webhook_secrets_one_current on webhook_secrets (merchant_id, mode) where ends_at is null;

-- Mail that stays here: all of test mode, and live mail while there is no mail server.
create table mailbox (
  merchant_id integer not null references merchants (id),
  -- The delivery's id: a mail that is written twice is still one mail.
  id text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  event text collate "C" not null,
  number text collate "C",
  from_address text not null,
  to_address text not null,
  subject text not null,
  text text not null,
  html text not null,
  at timestamptz not null,
  primary key (merchant_id, id)
);

create index mailbox_newest on mailbox (merchant_id, mode, at desc);
