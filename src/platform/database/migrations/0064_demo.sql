-- A merchant with invented payments (`florin demo`). It never goes live, and only such a merchant can be removed.
alter table merchants add column is_demo boolean not null default false;
alter table merchants add constraint merchants_demo_never_live check (not (is_demo and live_enabled));

-- The ledger of test mode goes with a demo that is removed. Of live mode nothing is ever deleted.
create or replace function entries_never_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.mode = 'test' then
    return old;
  end if;
  raise exception 'Entries of the ledger are never changed or deleted' using errcode = 'restrict_violation';
end
$$;
