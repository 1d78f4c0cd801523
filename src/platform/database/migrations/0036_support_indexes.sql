-- in steps
-- What a person should look at, of one merchant.
drop index concurrently if exists attempts_unknown;
create index concurrently attempts_unknown on attempts (merchant_id, started_at) where state = 'unknown';
-- What people look for in the dashboard: the beginning of an address or of a surname, the reference on a receipt, the last
-- digits of a card. A new payment costs no more than before: the index of addresses takes the place of one that knew whole
-- addresses only, and the others hold payments that have ended and attempts that were paid.
drop index concurrently if exists payments_by_email;
create index concurrently payments_by_email on payments
  (merchant_id, mode, lower(email) text_pattern_ops, created_at desc, number desc);
drop index concurrently if exists payments_of_email;
drop index concurrently if exists payments_of_surname;
create index concurrently payments_of_surname on payments
  (merchant_id, mode, lower(last_name) text_pattern_ops, created_at desc) where state <> 'pending';
drop index concurrently if exists payments_of_reference;
create index concurrently payments_of_reference on payments (merchant_id, reference) where state <> 'pending';
drop index concurrently if exists attempts_paid_by_card;
create index concurrently attempts_paid_by_card on attempts
  (merchant_id, card_last4, started_at) where state = 'succeeded' and card_last4 is not null;
