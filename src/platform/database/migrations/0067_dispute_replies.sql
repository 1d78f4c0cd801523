-- A merchant's answers to disputes. Nothing of the evidence is kept, only which parts of it were sent.
create table dispute_replies (
  merchant_id integer not null,
  dispute_id text collate "C" not null,
  -- Also the idempotency key at the network.
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('evidence', 'acceptance')),
  -- requested: written down before it was sent; the network's answer is not known. not_sent: the network did not have it
  -- when it was asked.
  state text collate "C" not null check (state in ('requested', 'sent', 'refused', 'not_sent')),
  parts text[] not null check (cardinality(parts) <= 20),
  -- The id of a person.
  actor text collate "C" not null,
  -- Why the network refused it, in its own words.
  failure text check (char_length(failure) <= 500),
  requested_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'requested')),
  primary key (merchant_id, id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, id)
);
create index dispute_replies_of_dispute on dispute_replies (merchant_id, dispute_id);
-- Two people who answer at once: one of them does.
create unique index dispute_replies_one_open on dispute_replies (merchant_id, dispute_id) where state = 'requested';

-- Disputes at the test network that stay open until the merchant answers, and the answer.
alter table test_network.charges drop constraint charges_disputed_known;
alter table test_network.charges add constraint charges_disputed_known
  check (disputed in ('won', 'lost', 'open')) not valid;
alter table test_network.charges add column reply text collate "C";
alter table test_network.charges add column replied_at timestamptz;
alter table test_network.charges add column reply_key text collate "C";
alter table test_network.charges add constraint charges_reply_known
  check (reply in ('wins', 'loses', 'accepts') and (reply is null) = (replied_at is null)) not valid;
