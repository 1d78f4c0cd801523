-- A receiver is paused after 120 hours of failures, and a week in which nobody called it is none of them: the time of
-- the last failure tells these apart.
alter table receivers add column last_failed_at timestamptz;
update receivers set last_failed_at = now() where failing_since is not null;
alter table receivers add constraint receivers_failed_in_order check (failing_since <= last_failed_at);

-- Ada@Example.com and ada@example.com are one person, who gets only so many mails a day.
drop index deliveries_to_address;
create index deliveries_to_address on deliveries (merchant_id, lower(target)) where kind = 'mail' and mode = 'live';
