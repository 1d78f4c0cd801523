-- A new password must not be one of the last four (PCI DSS 8.3.7): what they were, newest first, as argon2id.
alter table people add column former_password_hashes text[] collate "C" not null default '{}';

-- A session that began with a password shorter than live payments ask for opens nothing until there is a new one.
alter table sessions add column wants_password boolean not null default false;
