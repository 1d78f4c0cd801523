-- in steps
-- The payments that a network has not booked: those of the last days, or all of a network that reports no bookings.
drop index concurrently if exists payments_not_booked;
create index concurrently payments_not_booked on payments (merchant_id, mode, (coalesce(paid_at, updated_at)))
  where not booked and state in ('success', 'refunded', 'reversed');
