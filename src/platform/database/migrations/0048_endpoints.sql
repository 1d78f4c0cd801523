-- Endpoints hear of every payment of their mode. An endpoint has one of ten slots, so that no eleventh can be made, also by
-- two requests at once. One without a URL is a running `florin listen`, which fetches its notifications; it has slots of its own.
create table endpoints (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  slot integer not null,
  url text collate "C" not null,
  description text not null default '',
  -- Null: all events, also those that are added later.
  events text[],
  -- Of a running `florin listen`: when it counts as gone unless it asks again.
  listens_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id),
  constraint endpoints_ten_slots check (
    url <> '' and listens_until is null and slot between 1 and 10
    or url = '' and listens_until is not null and mode = 'test' and slot between 11 and 15),
  constraint endpoints_some_events check (cardinality(events) > 0)
);
create unique index endpoints_one_per_slot on endpoints (merchant_id, mode, slot);
create unique index endpoints_one_per_url on endpoints (merchant_id, mode, url) where url <> '';

-- Sealed like every secret that Florin reads again. All that are valid sign.
create table endpoint_secrets (
  merchant_id integer not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz,
  primary key (merchant_id, endpoint_id, id),
  constraint endpoint_secrets_of_endpoints foreign key (merchant_id, endpoint_id) references endpoints (merchant_id, id)
);
create unique index endpoint_secrets_one_current on endpoint_secrets (merchant_id, endpoint_id) where ends_at is null;

-- Null: it goes to the callback_url of its payment. No reference: what was sent stays when its endpoint is deleted.
alter table deliveries add column endpoint_id text collate "C";
