-- Networks with a payment page of their own. Of an attempt there: which account of the merchant it is paid to, how the
-- customer chose to pay, the page, until when it can be paid on, and when the network was last asked because somebody
-- was looking.
alter table attempts add column account_id text collate "C";
alter table attempts add column method text collate "C";
alter table attempts add column page_url text;
alter table attempts add column page_expires_at timestamptz;
alter table attempts add column asked_at timestamptz;
-- What the network said that it took, what it calls that, and what it calls the refund of money that nobody owed.
alter table attempts add column charge_reference text;
alter table attempts add column charged_minor bigint;
alter table attempts add column charged_currency text collate "C";
alter table attempts add column refund_reference text;
alter table attempts add constraint attempts_method_known check (method in ('card', 'bank'));
alter table attempts add constraint attempts_account_with_method check ((account_id is null) = (method is null));

-- held: the network took another amount than the payment's. surplus: it took money that nobody owed. returned: that
-- money went back.
alter table attempts drop constraint attempts_state_check;
alter table attempts add constraint attempts_state_check
  check (state in ('started', 'action_required', 'submitted', 'succeeded', 'declined', 'abandoned', 'unknown', 'held',
    'surplus', 'returned'));
drop index attempts_one_in_flight;
create unique index attempts_one_in_flight on attempts (merchant_id, number)
  where state in ('started', 'action_required', 'submitted', 'unknown', 'held');
drop index attempts_to_check;
create index attempts_to_check on attempts (next_check_at)
  where state in ('started', 'action_required', 'submitted', 'unknown', 'surplus');
-- Empty as a rule: what a person has to look at.
create index attempts_for_a_person on attempts (merchant_id, updated_at) where state in ('held', 'surplus');
create index attempts_of_reference on attempts (merchant_id, connector_reference) where account_id is not null;

-- The books of the test bank: a network with a page of its own that never leaves the machine.
create table test_network.pages (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  payment_number text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null check (state in ('open', 'paid', 'refused', 'withdrawn')),
  -- Null: withdrawn before it arrived.
  amount_minor bigint check (amount_minor > 0),
  currency text collate "C",
  merchant_name text,
  description text,
  language text collate "C",
  return_url text,
  cancel_url text,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  -- From when on the bank tells what the customer decided.
  told_from timestamptz not null,
  primary key (merchant_id, idempotency_key),
  check (state = 'withdrawn' or amount_minor is not null)
);
create unique index pages_reference_once on test_network.pages (merchant_id, reference);
create index pages_of_payment on test_network.pages (merchant_id, payment_number, opened_at);

create table test_network.refunds (
  merchant_id integer not null,
  idempotency_key text collate "C" not null,
  reference text collate "C" not null,
  page_reference text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  requested_at timestamptz not null,
  primary key (merchant_id, idempotency_key)
);
create index refunds_of_page on test_network.refunds (merchant_id, page_reference);
