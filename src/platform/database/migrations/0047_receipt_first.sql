-- Whether a customer who has just paid sees the receipt before the shop.
alter table merchant_brands add column receipt_first boolean not null default false;
