-- in steps
-- For exports of a period: what networks booked, in order.
drop index concurrently if exists payout_lines_booked;
create index concurrently payout_lines_booked on payout_lines (merchant_id, mode, booked_at, account_id, reference);
