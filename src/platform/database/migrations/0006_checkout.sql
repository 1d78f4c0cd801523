-- Secrets that every server of one installation must share, made by the first that needs them.
create table installation_secrets (
  name text collate "C" primary key,
  secret bytea not null check (octet_length(secret) = 32),
  created_at timestamptz not null default now()
);
