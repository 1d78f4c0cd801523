-- Whom a network pays: the credentials that Florin calls it with, sealed under a key that is not in the database. A removed
-- account stays: payments that were begun with it are asked about with it, and disputes come months later.
create table connector_accounts (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null check (id ~ '^acc_[0-9a-zA-Z]{16}$'),
  connector text collate "C" not null,
  -- As the network names it.
  label text not null check (char_length(label) between 1 and 200),
  -- The network's own place to try things out: no money moves.
  sandbox boolean not null,
  credentials bytea not null,
  callbacks text collate "C" not null check (callbacks in ('set_up', 'missing', 'unknown')),
  created_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (merchant_id, id)
);

-- One at a time: a payment must not have to choose.
create unique index connector_accounts_one_living on connector_accounts (merchant_id, connector) where removed_at is null;

-- The same for merchants that have none of their own. No merchant's, so every node of a cluster has it whole.
create table installation_accounts (
  id text collate "C" not null check (id ~ '^acc_[0-9a-zA-Z]{16}$'),
  connector text collate "C" not null,
  label text not null check (char_length(label) between 1 and 200),
  sandbox boolean not null,
  credentials bytea not null,
  callbacks text collate "C" not null check (callbacks in ('set_up', 'missing', 'unknown')),
  created_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (id)
);

create unique index installation_accounts_one_living on installation_accounts (connector) where removed_at is null;
