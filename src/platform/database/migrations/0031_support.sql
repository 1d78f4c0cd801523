-- What a team writes on a payment for one another. Customers never see it.
create table payment_notes (
  merchant_id integer not null,
  number text collate "C" not null,
  id text collate "C" not null,
  -- The person's id.
  author text collate "C" not null,
  text text not null,
  created_at timestamptz not null default now(),
  constraint payment_notes_pkey primary key (merchant_id, number, id),
  constraint payment_notes_of_payment foreign key (merchant_id, number) references payments (merchant_id, number)
);
