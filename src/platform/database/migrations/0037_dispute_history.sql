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
-- Locks disputes: not at all, it is read as a report reads it; and disputes are few.
insert into dispute_history (merchant_id, dispute_id, place, at, state, reason, evidence_due_at, money_taken)
select merchant_id, id, 1, updated_at, state, reason, evidence_due_at, money_taken from disputes;
