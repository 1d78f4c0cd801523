-- People, and how they sign in. A person may belong to several merchants, so these tables belong to none: on a cluster they
-- are not spread, but stay whole on the node that is asked. They are small, and no statement joins them with a merchant's
-- rows. Memberships and invitations are a merchant's own, and are spread like its payments.

create table people (
  id text collate "C" primary key,
  -- As it was typed; compared without regard to case.
  email text not null,
  name text not null,
  -- Null: signs in with passkeys or links alone.
  password_hash text collate "C",
  is_operator boolean not null default false,
  -- Sealed. Null: no codes of an app are asked for.
  totp_sealed bytea,
  -- The last time step whose code was taken: a code counts once.
  totp_step bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint people_id_check check (id ~ '^per_[0-9A-Za-z]{16}$'),
  constraint people_email_check check (char_length(email) between 3 and 254),
  constraint people_name_check check (char_length(name) between 1 and 100)
);
create unique index people_email_once on people (lower(email));

-- Of the cookie only a hash is stored: who reads this table can't sign in with it.
create table sessions (
  hash bytea primary key,
  id text collate "C" not null unique,
  person_id text collate "C" not null references people (id),
  -- half: the password was right, the second factor is still asked for.
  state text collate "C" not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the person last showed a password or a passkey.
  proved_at timestamptz not null,
  device text not null,
  address text collate "C" not null,
  constraint sessions_state_check check (state in ('half', 'whole'))
);
create index sessions_of_person on sessions (person_id);

-- Browsers that a person signed in from before, by the hash of a cookie.
create table known_devices (
  person_id text collate "C" not null references people (id),
  hash bytea not null,
  seen_at timestamptz not null,
  primary key (person_id, hash)
);

create table passkeys (
  id text collate "C" primary key,
  person_id text collate "C" not null references people (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  constraint passkeys_name_check check (char_length(name) between 1 and 100)
);
create index passkeys_of_person on passkeys (person_id);

-- What an authenticator has to sign: gone once it was.
create table passkey_challenges (
  challenge text collate "C" primary key,
  -- What it was drawn for, and for whom.
  purpose text collate "C" not null,
  ends_at timestamptz not null
);

create table recovery_codes (
  person_id text collate "C" not null references people (id),
  hash bytea not null,
  used_at timestamptz,
  primary key (person_id, hash)
);

-- Links that work once, for a short time. `email`: the address that it proves.
create table person_links (
  hash bytea primary key,
  kind text collate "C" not null,
  person_id text collate "C" references people (id),
  email text,
  ends_at timestamptz not null,
  constraint person_links_kind_check check (kind in ('reset', 'email', 'sign_in', 'sign_up')),
  constraint person_links_whose check ((kind = 'sign_up') = (person_id is null))
);
create index person_links_of_person on person_links (person_id) where person_id is not null;

-- Tries that count against an account or an address, on all servers together.
create table sign_in_waits (
  name text collate "C" primary key,
  tries integer not null,
  last_at timestamptz not null,
  free_at timestamptz not null
);

create table memberships (
  merchant_id integer not null references merchants (id),
  person_id text collate "C" not null,
  role text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, person_id),
  constraint memberships_role_check check (role in ('owner', 'developer', 'support', 'viewer'))
);
create index memberships_of_person on memberships (person_id);

create table invitations (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  email text not null,
  role text collate "C" not null,
  hash bytea not null,
  invited_by text collate "C" not null,
  created_at timestamptz not null default now(),
  ends_at timestamptz not null,
  primary key (merchant_id, id),
  constraint invitations_role_check check (role in ('owner', 'developer', 'support', 'viewer'))
);
create unique index invitations_once on invitations (merchant_id, lower(email));

-- Letters to people are sent by the installation, which is merchant 0 as in the audit log.
alter table deliveries drop constraint deliveries_merchant_id_fkey;
