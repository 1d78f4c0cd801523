-- Secrets that Florin has to read again are sealed under a key that is not in the database. SQL has no key, so the rows of
-- before stay plain until the first start of the new program seals them; then `secret` is null. A row has an id, because
-- a sealed value is bound to its row, and its primary key was the secret itself.

alter table installation_secrets add column sealed bytea;
alter table installation_secrets alter column secret drop not null;
alter table installation_secrets add constraint installation_secrets_sealed_or_plain
  check ((secret is null) <> (sealed is null));

alter table webhook_secrets add column id text collate "C" default gen_random_uuid()::text;
alter table webhook_secrets alter column id set not null;
alter table webhook_secrets drop constraint webhook_secrets_pkey;
alter table webhook_secrets add constraint webhook_secrets_pkey primary key (merchant_id, mode, id);
alter table webhook_secrets alter column secret drop not null;
alter table webhook_secrets add column sealed bytea;
alter table webhook_secrets add constraint webhook_secrets_sealed_or_plain
  check ((secret is null) <> (sealed is null));
create index webhook_secrets_plain on webhook_secrets (merchant_id) where sealed is null;
