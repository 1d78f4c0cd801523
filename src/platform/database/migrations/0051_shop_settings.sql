-- Where the shop is, which decides what its tax is called; which way to pay stands first; and its legal pages.
alter table merchant_brands add column country text collate "C";
alter table merchant_brands add constraint merchant_brands_country_check check (country ~ '^[A-Z]{2}$');
alter table merchant_brands add column method_order text[] not null default '{}';
alter table merchant_brands add constraint merchant_brands_method_order_check check (cardinality(method_order) <= 10);
alter table merchant_brands add column terms_url text;
alter table merchant_brands add constraint merchant_brands_terms_url_check check (char_length(terms_url) <= 2000);
alter table merchant_brands add column privacy_url text;
alter table merchant_brands add constraint merchant_brands_privacy_url_check check (char_length(privacy_url) <= 2000);
alter table merchant_brands add column legal_notice_url text;
alter table merchant_brands add constraint merchant_brands_legal_notice_url_check check (char_length(legal_notice_url) <= 2000);
