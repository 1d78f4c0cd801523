-- What people look for in the dashboard: the beginning of an address or of a surname, the reference on a receipt, the last
-- digits of a card. A new payment costs no more than before: the index of addresses takes the place of one that knew whole
-- addresses only, and the others hold payments that have ended and attempts that were paid.
-- On a big table build them before, by hand, with "create index concurrently" and the same words: then nothing is left to do here.
create index if not exists payments_by_email on payments
  (merchant_id, mode, lower(email) text_pattern_ops, created_at desc, number desc);
drop index if exists payments_of_email;
create index if not exists payments_of_surname on payments
  (merchant_id, mode, lower(last_name) text_pattern_ops, created_at desc) where state <> 'pending';
create index if not exists payments_of_reference on payments (merchant_id, reference) where state <> 'pending';
create index if not exists attempts_paid_by_card on attempts
  (merchant_id, card_last4, started_at) where state = 'succeeded' and card_last4 is not null;

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
