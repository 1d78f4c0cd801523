-- Search: any part of what is written on a payment. A worker fills these tables behind the payments, so creating one costs
-- nothing more.

-- One row per 20,000 payments or so of a merchant and mode, in the order in which they were created. Up to `until` of the
-- last slice payments have their entries.
create table search_slices (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  slice integer not null check (slice > 0),
  payments integer not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  until_number text collate "C" not null,
  primary key (merchant_id, mode, slice)
);

-- text: folded, without accents or capitals. grams: numbers for every three letters in a row (src/payments/search/grams.ts).
create table search_entries (
  merchant_id integer not null,
  number text collate "C" not null,
  slice integer not null,
  text text collate "C" not null,
  grams integer[] not null,
  created_at timestamptz not null,
  -- No foreign key: it would lock, and so write, each payment once more.
  primary key (merchant_id, number)
);
-- Without a list of pending entries: every look into the index would read all of it.
create index search_entries_grams on search_entries using gin (grams) with (fastupdate = off);
