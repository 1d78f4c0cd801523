-- in steps
-- Entries of one kind, and of one thing. Programs leave one for each payment that they cancel or refund, so that looking for keys
-- among them read the whole log of a merchant.
drop index concurrently if exists audit_log_of_kind;
create index concurrently audit_log_of_kind on audit_log (merchant_id, split_part(action, '.', 1), at, id);
drop index concurrently if exists audit_log_of_subject;
create index concurrently audit_log_of_subject on audit_log (merchant_id, subject, at, id);
