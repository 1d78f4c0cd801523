-- What a merchant's payments came to, day by day in UTC, so that no page has to add up payments.
create table daily_totals (
  merchant_id integer not null,
  mode text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  -- By the day on which it was paid.
  paid bigint not null default 0,
  paid_minor bigint not null default 0,
  -- Failed, cancelled or expired, by the day on which it ended; one that is paid after all leaves that day again.
  unpaid bigint not null default 0,
  -- By the day on which the money went back; one that came home leaves that day again.
  refunds bigint not null default 0,
  refunded_minor bigint not null default 0,
  -- By the day on which the bank took it; one that was given back leaves that day again.
  reversed bigint not null default 0,
  reversed_minor bigint not null default 0,
  primary key (merchant_id, mode, day, currency)
);

-- What changes them, written in the commit of what happened and folded into the totals by a worker: with the totals
-- alone every outcome of a merchant would wait for the lock of one row.
create table daily_total_changes (
  merchant_id integer not null,
  id uuid not null default gen_random_uuid(),
  mode text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  paid bigint not null default 0,
  paid_minor bigint not null default 0,
  unpaid bigint not null default 0,
  refunds bigint not null default 0,
  refunded_minor bigint not null default 0,
  reversed bigint not null default 0,
  reversed_minor bigint not null default 0,
  primary key (merchant_id, id)
);

-- Locks refunds: not at all. It and payments are read as a report reads them, and nobody waits for what is new.
insert into daily_totals (merchant_id, mode, currency, day, paid, paid_minor, unpaid, refunds, refunded_minor, reversed, reversed_minor)
select merchant_id, mode, currency, (at at time zone 'UTC')::date,
       count(*) filter (where kind = 'paid'), coalesce(sum(amount_minor) filter (where kind = 'paid'), 0),
       count(*) filter (where kind = 'unpaid'),
       count(*) filter (where kind = 'refund'), coalesce(sum(amount_minor) filter (where kind = 'refund'), 0),
       count(*) filter (where kind = 'reversed'), coalesce(sum(amount_minor) filter (where kind = 'reversed'), 0)
from (
  select payments.merchant_id, mode, currency, amount_minor, 'paid' as kind, max(at) as at
  from payments join payment_history
    on payment_history.merchant_id = payments.merchant_id and payment_history.number = payments.number
  where attempt is null and event = 'paid'
  group by payments.merchant_id, payments.number
  union all
  select payments.merchant_id, mode, currency, amount_minor, case state when 'reversed' then 'reversed' else 'unpaid' end, max(at)
  from payments join payment_history
    on payment_history.merchant_id = payments.merchant_id and payment_history.number = payments.number
  where attempt is null and to_state = state and state in ('failed', 'cancelled', 'expired', 'reversed')
  group by payments.merchant_id, payments.number
  union all
  select refunds.merchant_id, mode, currency, amount_minor, 'refund', max(at)
  from refunds join refund_history
    on refund_history.merchant_id = refunds.merchant_id and refund_history.refund_id = refunds.id
  where state = 'succeeded' and to_state = 'succeeded'
  group by refunds.merchant_id, refunds.id
) as happened
group by merchant_id, mode, currency, (at at time zone 'UTC')::date;

-- Whoever runs this Florin stopped a merchant: its keys are refused and nothing new is paid.
alter table merchants add column suspended_at timestamptz;
create index merchants_newest on merchants (created_at, id);
