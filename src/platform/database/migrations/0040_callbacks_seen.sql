-- in steps
-- When an account's last callback came, for the page that shows it.
drop index concurrently if exists callback_events_seen;
create index concurrently callback_events_seen on callback_events (merchant_id, account_id, received_at);
