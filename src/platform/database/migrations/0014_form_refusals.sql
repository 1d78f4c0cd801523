-- Forms of a merchant's own pages that could not start a payment: it is the customer who sees them, and the merchant who
-- has to know. Only the newest are kept, and nothing of the customer.
create table form_refusals (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  at timestamptz not null,
  request_id text collate "C" not null,
  code text collate "C" not null,
  message text not null,
  -- Every rule that failed, by field, as JSON.
  errors json,
  tx_ref text collate "C",
  primary key (merchant_id, mode, at, request_id)
);
