-- Bookkeeping: which accounts exports book to, and which entries of the bank payouts were found in.

-- What DATEV asks for. A merchant without a row has set nothing yet.
create table bookkeeping (
  merchant_id integer not null references merchants (id),
  consultant_number integer check (consultant_number between 1001 and 9999999),
  client_number integer check (client_number between 1 and 99999),
  fiscal_year_month integer not null default 1 check (fiscal_year_month between 1 and 12),
  account_length integer not null default 4 check (account_length between 4 and 8),
  chart text collate "C" not null default '' check (chart in ('', '03', '04')),
  primary key (merchant_id)
);

-- Only a clearing account is a network's own: the connector of the others is empty.
create table bookkeeping_accounts (
  merchant_id integer not null references merchants (id),
  purpose text collate "C" not null check (purpose in ('sales', 'fees', 'fee_tax', 'other', 'bank', 'clearing')),
  connector text collate "C" not null default '',
  account text collate "C" not null check (account ~ '^[0-9]{1,9}$' and account ~ '[1-9]'),
  primary key (merchant_id, purpose, connector),
  constraint bookkeeping_accounts_of_networks check ((purpose = 'clearing') = (connector <> ''))
);

-- Entries of bank statements that are payouts or name a network; no others are stored. An entry is there once, whichever files it
-- is in. return: the bank sent the money of the payout back.
create table bank_entries (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  -- The merchant's account, as the bank's file names it.
  account text collate "C" not null,
  entry text collate "C" not null,
  booked_on date not null,
  amount_minor bigint not null,
  currency text collate "C" not null,
  description text not null,
  payout_id text collate "C",
  matched_by text collate "C" check (matched_by in ('reference', 'amount', 'return')),
  seen_at timestamptz not null default now(),
  primary key (merchant_id, mode, account, entry),
  constraint bank_entries_of_payouts foreign key (merchant_id, payout_id) references payouts (merchant_id, id),
  constraint bank_entries_matched_whole check ((payout_id is null) = (matched_by is null))
);
create unique index bank_entries_one_per_payout on bank_entries (merchant_id, payout_id) where matched_by <> 'return';
create index bank_entries_newest on bank_entries (merchant_id, mode, booked_on);
