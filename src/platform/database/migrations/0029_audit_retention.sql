-- Entries of the audit log are kept for a set time. One function forgets those of one merchant, some at a time, and never one
-- that is younger than thirty days, whoever calls it; every other change is refused as before. It runs with the rights of the
-- owner of the table, so that the role that Florin runs as needs none to delete.

create or replace function audit_log_refuses_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('florin.forgets_audit', true) = 'on'
     and old.at < clock_timestamp() - interval '30 days' then
    return old;
  end if;
  raise exception 'Entries of the audit log are never changed, and deleted only when their time is over'
    using errcode = 'restrict_violation';
end
$$;

create function forget_audit_entries(of_merchant integer, older_than timestamptz, at_most integer)
returns integer language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  gone integer;
begin
  -- Where tables are spread over a cluster, the trigger runs on another node.
  set local citus.propagate_set_commands = 'local';
  set local florin.forgets_audit = 'on';
  delete from public.audit_log
  where merchant_id = of_merchant and id in (
    select id from public.audit_log
    where merchant_id = of_merchant and at < older_than and at < clock_timestamp() - interval '30 days'
    order by at, id limit at_most);
  get diagnostics gone = row_count;
  set local florin.forgets_audit = 'off';
  return gone;
end
$$;

-- Of the owner alone; without the function the trigger refuses it to the owner as well.
grant delete on audit_log to current_user;
