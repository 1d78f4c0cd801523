-- Who did what. Entries are added in the commit of what they tell of, and never changed: a trigger refuses it to everybody,
-- rights refuse it to whoever is no superuser. merchant_id 0 is the installation itself, so there is no reference to
-- merchants. Where tables are spread over a cluster, this one is spread like the others, with
-- citus.enable_unsafe_triggers on for that command: the trigger reads no table.

create table audit_log (
  merchant_id integer not null,
  id text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  actor_kind text collate "C" not null,
  actor text collate "C" not null,
  address text collate "C",
  request_id text collate "C",
  action text collate "C" not null,
  subject text collate "C" not null,
  before json,
  after json,
  constraint audit_log_pkey primary key (merchant_id, id),
  constraint audit_log_id_check check (id ~ '^aud_[0-9A-Za-z]{16}$'),
  constraint audit_log_actor_kind_check check (actor_kind in ('key', 'command_line', 'system', 'person')),
  constraint audit_log_action_check check (action ~ '^[a-z_]+\.[a-z_]+$')
);

create index audit_log_newest on audit_log (merchant_id, at, id);
create index audit_log_newest_of_all on audit_log (at);

create function audit_log_refuses_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the audit log are never changed or deleted' using errcode = 'restrict_violation';
end
$$;

create trigger audit_log_never_changes before update or delete on audit_log
  for each row execute function audit_log_refuses_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function audit_log_refuses_change();

revoke update, delete, truncate on audit_log from public;
revoke update, delete, truncate on audit_log from current_user;
