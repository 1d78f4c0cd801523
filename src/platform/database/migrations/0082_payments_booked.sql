-- Whether the payment's network has booked it, and so reported its fee. What isn't booked is named beside every sum of fees.
alter table payments add column booked boolean not null default false;
-- Locks payments: only the rows that have a booking, which nobody writes any more but a refund or a dispute.
update payments set booked = true
from (
  select distinct merchant_id, number from payout_lines where kind = 'payment' and number is not null
) as lines
where payments.merchant_id = lines.merchant_id and payments.number = lines.number;
