-- What people look for at the dashboard, found by an index each, however many rows there are.
create index refunds_of_state on refunds (merchant_id, mode, state, created_at, id);
create index refunds_of_tx_ref on refunds (merchant_id, mode, tx_ref, created_at, id);
create index disputes_to_answer on disputes (merchant_id, mode, evidence_due_at, id) where state = 'evidence_due';
create index disputes_of_state on disputes (merchant_id, mode, state, opened_at, id);
create index disputes_of_tx_ref on disputes (merchant_id, mode, tx_ref, opened_at, id);

-- How a dispute stood, each time that its network said something new of it.
create table dispute_history (
  merchant_id integer not null,
  dispute_id text collate "C" not null,
  place integer not null,
  at timestamptz not null,
  state text collate "C" not null,
  reason text not null,
  evidence_due_at timestamptz,
  money_taken boolean not null,
  primary key (merchant_id, dispute_id, place),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, id)
);
insert into dispute_history (merchant_id, dispute_id, place, at, state, reason, evidence_due_at, money_taken)
select merchant_id, id, 1, updated_at, state, reason, evidence_due_at, money_taken from disputes;

-- Notifications of both modes, newest first. It takes the place of the index of those of test mode, so that a test payment
-- costs what it did.
create index deliveries_newest on deliveries (merchant_id, mode, created_at, id) where kind = 'ipn';
drop index deliveries_to_follow;
-- These two cost nothing while receivers answer.
create index deliveries_failed on deliveries (merchant_id, mode, origin, created_at, id)
  where kind = 'ipn' and state = 'failed';
drop index deliveries_paused;
create index deliveries_paused on deliveries (merchant_id, mode, origin, created_at, id) where state = 'paused';
-- In test mode every mail is kept, and has its index already.
create index deliveries_live_mail on deliveries (merchant_id, mode, created_at, id)
  where kind = 'mail' and mode = 'live';
