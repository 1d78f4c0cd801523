-- A merchant's id is the 8-digit number that its checkout links start with: a link or a key leads to its merchant
-- without a search, and every table can be spread over machines by merchant_id.
create table merchants (
  id integer primary key check (id between 10000000 and 99999999),
  name text not null check (char_length(name) between 1 and 100),
  live_enabled boolean not null default false,
  fee_basis_points integer not null default 140 check (fee_basis_points between 0 and 10000),
  forms_take_secret_keys boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table merchant_currencies (
  merchant_id integer not null references merchants (id),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  fee_fixed_minor bigint not null check (fee_fixed_minor >= 0),
  primary key (merchant_id, currency)
);

create table keys (
  merchant_id integer not null references merchants (id),
  id text not null check (id ~ '^key_[0-9a-zA-Z]{16}$'),
  kind text not null check (kind in ('secret', 'form', 'api')),
  mode text check (mode in ('test', 'live')),
  hash bytea not null check (octet_length(hash) = 32),
  hint text not null,
  name text not null check (char_length(name) between 1 and 100),
  form_hosts text[],
  form_currencies text[],
  form_min_minor bigint check (form_min_minor > 0),
  form_max_minor bigint check (form_max_minor >= form_min_minor),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  ends_at timestamptz,
  revoked_at timestamptz,
  exposed_at timestamptz,
  primary key (merchant_id, id),
  constraint keys_hash_once unique (merchant_id, hash),
  check ((kind = 'api') = (mode is null)),
  check (kind = 'form' or (form_hosts is null and form_currencies is null and form_min_minor is null and form_max_minor is null))
);
