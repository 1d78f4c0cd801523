-- What a look-up shows of how a payment ended. Written with the move itself, so that neither paying nor looking up needs a
-- statement more. Payments from before show none of it.
alter table payments add column paid_at timestamptz;
-- {"kind", "network", "brand", "last4"}
alter table payments add column paid_with json;
-- Why the last attempt of a failed payment was declined.
alter table payments add column failure_reason text collate "C";
