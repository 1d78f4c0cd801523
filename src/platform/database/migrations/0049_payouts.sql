-- Payouts: what networks paid to the merchant's bank, line by line, and what they still hold.

-- One row per account that is asked about payouts. A claim raises asks; what an earlier claim still wants to write is refused.
create table payout_feeds (
  merchant_id integer not null references merchants (id),
  account_id text collate "C" not null,
  connector text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  asks bigint not null default 0,
  next_check_at timestamptz not null,
  -- Up to here the network's bookings were read; null: never.
  read_until timestamptz,
  -- Since when the network has not answered, and what it said.
  failing_since timestamptz,
  problem text,
  -- The last comparison with the network's own balance.
  compared_at timestamptz,
  primary key (merchant_id, account_id)
);
create index payout_feeds_due on payout_feeds (next_check_at);

create table payouts (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  connector text collate "C" not null,
  account_id text collate "C" not null,
  -- What the network calls it.
  reference text collate "C" not null,
  state text collate "C" not null check (state in ('announced', 'on_its_way', 'arrived', 'failed', 'returned')),
  amount_minor bigint not null,
  currency text collate "C" not null,
  -- As the network named it: a day, without a time or a zone.
  arrives_on date,
  -- What stands on the bank statement.
  bank_reference text,
  failure text,
  -- waiting: the network does not tell them yet. copied: all of them are here. untold: it never tells them.
  lines text collate "C" not null default 'waiting' check (lines in ('waiting', 'copied', 'untold')),
  line_count integer not null default 0,
  gross_minor bigint not null default 0,
  fee_minor bigint not null default 0,
  tax_minor bigint not null default 0,
  -- What the lines lack to the amount. It is a line of its own, too.
  difference_minor bigint not null default 0,
  made_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  constraint payouts_reference_once unique (merchant_id, account_id, reference),
  constraint payouts_lines_are_the_amount check (lines <> 'copied' or gross_minor - fee_minor - tax_minor = amount_minor)
);
create index payouts_newest on payouts (merchant_id, mode, made_at, id);
create index payouts_of_state on payouts (merchant_id, mode, state, made_at, id);

create table payout_history (
  merchant_id integer not null,
  payout_id text collate "C" not null,
  place integer not null,
  at timestamptz not null,
  state text collate "C" not null,
  failure text,
  primary key (merchant_id, payout_id, place),
  constraint payout_history_of_payouts foreign key (merchant_id, payout_id) references payouts (merchant_id, id)
);

-- Every booking of a network, once. Money in a line never changes; what it belongs to is filled in once it is known.
create table payout_lines (
  merchant_id integer not null,
  account_id text collate "C" not null,
  -- What the network calls the booking.
  reference text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  kind text collate "C" not null
    check (kind in ('payment', 'refund', 'dispute', 'fee', 'adjustment', 'difference')),
  -- The network's own word for it.
  type text collate "C" not null,
  currency text collate "C" not null,
  gross_minor bigint not null,
  fee_minor bigint not null,
  tax_minor bigint not null,
  net_minor bigint not null,
  -- What the customer paid or got back, where the network booked another currency.
  original_minor bigint,
  original_currency text collate "C",
  exchange_rate text collate "C",
  -- The network's names for the charge and the refund.
  charge_reference text collate "C",
  refund_reference text collate "C",
  booked_at timestamptz not null,
  available_at timestamptz not null,
  -- Ours.
  payout_id text collate "C",
  number text collate "C",
  refund_id text collate "C",
  primary key (merchant_id, account_id, reference),
  constraint payout_lines_of_payouts foreign key (merchant_id, payout_id) references payouts (merchant_id, id),
  constraint payout_lines_add_up check (net_minor = gross_minor - fee_minor - tax_minor),
  constraint payout_lines_original_whole check ((original_minor is null) = (original_currency is null))
);
create index payout_lines_of_payout on payout_lines (merchant_id, payout_id, booked_at, reference) where payout_id is not null;
create index payout_lines_of_payment on payout_lines (merchant_id, number) where number is not null;
create index payout_lines_unpaid on payout_lines (merchant_id, account_id, available_at) where payout_id is null;

-- Reads its own row only, so it may stand on every node of a cluster.
create function payout_lines_never_change() returns trigger language plpgsql as $$
begin
  if (old.account_id, old.reference, old.mode, old.kind, old.type, old.currency, old.gross_minor, old.fee_minor, old.tax_minor,
      old.booked_at, old.available_at)
     is distinct from
     (new.account_id, new.reference, new.mode, new.kind, new.type, new.currency, new.gross_minor, new.fee_minor, new.tax_minor,
      new.booked_at, new.available_at)
     or (old.payout_id is not null and new.payout_id is distinct from old.payout_id)
     or (old.mode = 'live' and old.number is not null and new.number is distinct from old.number)
     or (old.mode = 'live' and old.refund_id is not null and new.refund_id is distinct from old.refund_id) then
    raise exception 'Lines of payouts are never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger payout_lines_never_change before update on payout_lines
  for each row execute function payout_lines_never_change();

-- The ledger. A row is one event, spread over all its accounts, so that a check holds the sum at zero. What left an account is
-- negative. sales: what customers paid, less what they got back. held: at the network. source: what it was booked from, once.
create table entries (
  merchant_id integer not null,
  account_id text collate "C" not null,
  source text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  currency text collate "C" not null,
  at timestamptz not null,
  sales_minor bigint not null default 0,
  fees_minor bigint not null default 0,
  taxes_minor bigint not null default 0,
  held_minor bigint not null default 0,
  on_its_way_minor bigint not null default 0,
  arrived_minor bigint not null default 0,
  primary key (merchant_id, account_id, source),
  constraint entries_sum_is_zero
    check (sales_minor + fees_minor + taxes_minor + held_minor + on_its_way_minor + arrived_minor = 0),
  constraint entries_move_money check (sales_minor <> 0 or fees_minor <> 0 or taxes_minor <> 0 or held_minor <> 0
    or on_its_way_minor <> 0 or arrived_minor <> 0)
);

create function entries_never_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the ledger are never changed or deleted' using errcode = 'restrict_violation';
end
$$;
create trigger entries_never_change before update or delete on entries
  for each row execute function entries_never_change();

-- The sums of entries, kept in their commit, so that a page need not add up a million of them.
create table balances (
  merchant_id integer not null,
  account_id text collate "C" not null,
  currency text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  connector text collate "C" not null,
  sales_minor bigint not null default 0,
  fees_minor bigint not null default 0,
  taxes_minor bigint not null default 0,
  held_minor bigint not null default 0,
  on_its_way_minor bigint not null default 0,
  arrived_minor bigint not null default 0,
  -- What the network's own balance had more than held_minor when they were last compared; null: never compared.
  difference_minor bigint,
  primary key (merchant_id, account_id, currency),
  constraint balances_sum_is_zero
    check (sales_minor + fees_minor + taxes_minor + held_minor + on_its_way_minor + arrived_minor = 0)
);

-- Networks tell of payouts by callbacks, too.
alter table callback_events drop constraint callback_events_about_check;
alter table callback_events add constraint callback_events_about_check
  check (about in ('order', 'refund', 'dispute', 'payout')) not valid;

-- The test network's own payouts, and the bookings in them.
create table test_network.payouts (
  merchant_id integer not null,
  reference text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text collate "C" not null,
  made_at timestamptz not null,
  primary key (merchant_id, reference)
);
create table test_network.payout_items (
  merchant_id integer not null,
  -- Of the booking.
  reference text collate "C" not null,
  payout_reference text collate "C" not null,
  primary key (merchant_id, reference)
);
create index payout_items_of_payout on test_network.payout_items (merchant_id, payout_reference);
