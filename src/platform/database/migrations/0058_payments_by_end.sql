-- in steps
-- For lists and exports of a period: when a payment was paid, or ended without being paid.
drop index concurrently if exists payments_by_end;
create index concurrently payments_by_end on payments (merchant_id, mode, (coalesce(paid_at, updated_at)))
  where state <> 'pending';
