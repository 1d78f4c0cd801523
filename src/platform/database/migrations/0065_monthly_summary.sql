-- Whom the figures of a month are e-mailed to, when it is over.
alter table memberships add column monthly_summary boolean not null default false;

-- Months whose summary was written: the key keeps two servers from sending it twice.
create table monthly_summaries (
  merchant_id integer not null references merchants (id),
  -- Its first day, in the shop's time zone.
  month date not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, month)
);
