-- in steps
-- What people look for at the dashboard, found by an index each, however many rows there are.
drop index concurrently if exists refunds_of_state;
create index concurrently refunds_of_state on refunds (merchant_id, mode, state, created_at, id);
drop index concurrently if exists refunds_of_tx_ref;
create index concurrently refunds_of_tx_ref on refunds (merchant_id, mode, tx_ref, created_at, id);
drop index concurrently if exists disputes_to_answer;
create index concurrently disputes_to_answer on disputes (merchant_id, mode, evidence_due_at, id) where state = 'evidence_due';
drop index concurrently if exists disputes_of_state;
create index concurrently disputes_of_state on disputes (merchant_id, mode, state, opened_at, id);
drop index concurrently if exists disputes_of_tx_ref;
create index concurrently disputes_of_tx_ref on disputes (merchant_id, mode, tx_ref, opened_at, id);
-- Notifications of both modes, newest first. It takes the place of the index of those of test mode, so that a test payment
-- costs what it did.
drop index concurrently if exists deliveries_newest;
create index concurrently deliveries_newest on deliveries (merchant_id, mode, created_at, id) where kind = 'ipn';
drop index concurrently if exists deliveries_to_follow;
-- These two cost nothing while receivers answer.
drop index concurrently if exists deliveries_failed;
create index concurrently deliveries_failed on deliveries (merchant_id, mode, origin, created_at, id)
  where kind = 'ipn' and state = 'failed';
drop index concurrently if exists deliveries_paused;
create index concurrently deliveries_paused on deliveries (merchant_id, mode, origin, created_at, id) where state = 'paused';
-- In test mode every mail is kept, and has its index already.
drop index concurrently if exists deliveries_live_mail;
create index concurrently deliveries_live_mail on deliveries (merchant_id, mode, created_at, id)
  where kind = 'mail' and mode = 'live';
