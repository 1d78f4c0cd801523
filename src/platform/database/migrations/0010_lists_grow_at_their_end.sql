-- The list reads newest first, and each new payment went in before all others: PostgreSQL splits such a page in halves,
-- and none is ever filled again. In the order of time the last page is filled before the next begins, and is read
-- backwards just as well: the indexes are half the size.
drop index payments_newest;
drop index payments_of_currency;
drop index payments_ended;
drop index payments_of_project;
create index payments_newest on payments (merchant_id, mode, created_at, number);
create index payments_of_currency on payments (merchant_id, mode, currency, created_at, number);
create index payments_ended on payments (merchant_id, mode, state, created_at, number) where state <> 'pending';
create index payments_of_project on payments (merchant_id, project_id, mode, created_at, number) where project_id is not null;
