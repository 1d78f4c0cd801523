-- What customers see of a merchant besides its name. A row is made when the first of it is set.
create table merchant_brands (
  merchant_id integer not null references merchants (id),
  colour text collate "C" check (colour ~ '^#[0-9a-f]{6}$'),
  website text check (char_length(website) <= 2000),
  support_email text check (char_length(support_email) <= 254),
  support_phone text check (char_length(support_phone) <= 40),
  -- Lines, as on an envelope.
  postal_address text check (char_length(postal_address) <= 500),
  company_number text check (char_length(company_number) <= 50),
  vat_number text check (char_length(vat_number) <= 50),
  time_zone text collate "C" check (char_length(time_zone) <= 64),
  statement_descriptor text collate "C" check (char_length(statement_descriptor) between 5 and 22),
  -- Whose pages may show the checkout in a frame.
  embed_hosts text[] not null default '{}' check (cardinality(embed_hosts) <= 20),
  logo_id text collate "C",
  updated_at timestamptz not null default now(),
  primary key (merchant_id)
);

-- Logos of merchants and of single payments, checked and without what they do not need to be seen. Those that were refused
-- are here too, so that they are not fetched for every customer.
create table pictures (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null check (id ~ '^[0-9a-f]{32}$'),
  -- Where it was fetched from; null when it was given as a file.
  source text check (char_length(source) <= 2000),
  type text collate "C" check (type in ('image/png', 'image/jpeg')),
  width smallint check (width between 1 and 1024),
  height smallint check (height between 1 and 1024),
  bytes bytea check (octet_length(bytes) between 1 and 204800),
  refused_for text check (char_length(refused_for) <= 200),
  fetched_at timestamptz not null default now(),
  primary key (merchant_id, id),
  constraint pictures_there_or_refused check (
    (bytes is not null and type is not null and width is not null and height is not null and refused_for is null)
    or (bytes is null and refused_for is not null))
);

create index pictures_oldest on pictures (merchant_id, fetched_at);

alter table merchant_brands add constraint merchant_brands_logo_is_there
  foreign key (merchant_id, logo_id) references pictures (merchant_id, id);
