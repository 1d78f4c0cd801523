-- Totals by quarter of an hour: in every time zone a day begins at one. Rows from before count at noon UTC, which is the same
-- date from 12 hours before UTC to 11 after; `florin totals rebuild` puts them where they belong and adds their fees.
alter table daily_total_changes add column minute smallint not null default 720;
alter table daily_total_changes add column fee_minor bigint not null default 0;
alter table daily_totals add column minute smallint not null default 720;
alter table daily_totals add column fee_minor bigint not null default 0;
alter table daily_totals drop constraint daily_totals_pkey;
-- Locks daily_totals: it has a row for each day and currency of a shop, and only the worker writes it.
alter table daily_totals add constraint daily_totals_pkey primary key (merchant_id, mode, day, minute, currency);
