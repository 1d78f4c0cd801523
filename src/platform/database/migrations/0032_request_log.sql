-- What merchants' programs and web forms asked for lately and what they were answered, for their developers. A copy for
-- reading, written in the background and pruned after some days: nothing depends on it.
create table request_log (
  merchant_id integer not null references merchants (id),
  -- none: of a key that has no mode.
  mode text collate "C" not null check (mode in ('test', 'live', 'none')),
  at timestamptz not null,
  id text collate "C" not null,
  -- A proxy may give the same one twice.
  request_id text collate "C" not null,
  key_id text collate "C" not null,
  method text collate "C" not null,
  path text not null,
  status smallint not null,
  duration_us integer not null,
  -- Without secrets, and cut. Null where there was none, or none that could be read.
  request_body text,
  answer_body text,
  primary key (merchant_id, mode, at, id)
);
-- Whoever is told a request's id looks for it.
create index request_log_by_request on request_log (merchant_id, request_id);
-- What is to be pruned.
create index request_log_by_age on request_log (at);
