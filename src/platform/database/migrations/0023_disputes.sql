-- Disputes: a customer's bank asks for the money back. A row moves by the network's own word alone.
create table disputes (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  number text collate "C" not null,
  tx_ref text collate "C" not null,
  connector text collate "C" not null,
  account_id text collate "C" not null,
  -- What the network calls it.
  reference text collate "C" not null,
  state text collate "C" not null check (state in ('evidence_due', 'under_review', 'won', 'lost')),
  reason text not null,
  amount_minor bigint not null check (amount_minor >= 0),
  currency text collate "C" not null,
  evidence_due_at timestamptz,
  -- The bank has the money, for now or for good.
  money_taken boolean not null,
  -- How often the network was asked, and the last of those questions whose answer was written down: an answer to an
  -- earlier one comes too late and changes nothing.
  asks integer not null,
  answered integer not null,
  checks integer not null default 0,
  next_check_at timestamptz,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  constraint disputes_of_payments foreign key (merchant_id, number) references payments (merchant_id, number),
  constraint disputes_reference_once unique (merchant_id, connector, reference)
);
create index disputes_newest on disputes (merchant_id, mode, opened_at, id);
create index disputes_of_payment on disputes (merchant_id, number);
create index disputes_to_check on disputes (next_check_at) where next_check_at is not null;

-- What the look-up shows of a dispute. While one is open nothing is refunded, and whoever refunds has locked this row.
alter table payments add column dispute json;

-- A dispute names what was charged.
create index attempts_of_charge on attempts (merchant_id, charge_reference) where charge_reference is not null;

-- Charges of the test network whose bank asks for the money back, how that ends, and when the network tells of it next.
alter table test_network.charges add column disputed text collate "C";
alter table test_network.charges add column next_tell_at timestamptz;
alter table test_network.charges add constraint charges_disputed_known check (disputed in ('won', 'lost'));
create index charges_to_tell on test_network.charges (next_tell_at) where next_tell_at is not null;
create index charges_disputed on test_network.charges (merchant_id, reference) where disputed is not null;
