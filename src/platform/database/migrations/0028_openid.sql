-- Who somebody is at the company's OpenID provider. Not spread, like everything of people.

create table person_identities (
  issuer text collate "C" not null,
  -- What the provider calls the person, for ever; addresses change hands.
  subject text collate "C" not null,
  person_id text collate "C" not null references people (id),
  -- As the provider said it when the two were connected, to be shown and for nothing else.
  email text,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (issuer, subject),
  constraint person_identities_subject_check check (char_length(subject) between 1 and 255),
  constraint person_identities_once unique (person_id, issuer)
);

-- Journeys to the provider that have not come back. The secret is in the browser, its hash is here: gone once it was used.
create table openid_flows (
  hash bytea primary key,
  purpose text collate "C" not null,
  -- The person who connects or proves; the invitation that is answered.
  about text collate "C" not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  constraint openid_flows_purpose_check check (purpose in ('sign_in', 'prove', 'link', 'join'))
);

-- How the session began, so that the entry after the second factor says it too.
alter table sessions add column way text collate "C";
