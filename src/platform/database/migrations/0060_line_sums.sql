-- What the lines of an hour add up to, kept in the commit of the lines, so that the sums of a quarter need not read a million of
-- them. Hours, not days: a day of the shop's time zone is made of them, and where a zone is off by half an hour the rest is read
-- from the lines.
create table payout_line_sums (
  merchant_id integer not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  -- Its beginning.
  hour timestamptz not null,
  account_id text collate "C" not null,
  currency text collate "C" not null,
  kind text collate "C" not null,
  line_count integer not null,
  -- How many bookings a double entry makes of them: one for each amount that is not zero.
  booking_count integer not null,
  gross_minor bigint not null,
  fee_minor bigint not null,
  tax_minor bigint not null,
  primary key (merchant_id, mode, hour, account_id, currency, kind)
);
-- Locks payout_lines: not at all. It is read as a report reads it.
insert into payout_line_sums (merchant_id, mode, hour, account_id, currency, kind, line_count, booking_count, gross_minor,
  fee_minor, tax_minor)
select merchant_id, mode, date_trunc('hour', booked_at, 'UTC'), account_id, currency, kind, count(*),
  sum((gross_minor <> 0)::integer + (fee_minor <> 0)::integer + (tax_minor <> 0)::integer), sum(gross_minor), sum(fee_minor),
  sum(tax_minor)
from payout_lines
group by merchant_id, mode, date_trunc('hour', booked_at, 'UTC'), account_id, currency, kind;
