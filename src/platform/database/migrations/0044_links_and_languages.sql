-- How long a payment can be paid, as its merchant says, and the languages of the merchant's checkout. No language: all.
alter table merchants add column pay_within_minutes integer not null default 1440;
alter table merchants add constraint merchants_pay_within_minutes_check check (pay_within_minutes between 30 and 43200);

alter table merchant_brands add column languages text[] not null default '{}';
alter table merchant_brands add constraint merchant_brands_languages_check check (cardinality(languages) <= 20);
