-- Old payments of test mode are deleted in time. One of live mode never is, whoever asks: not by a statement that forgot to
-- say which mode it means, and not by hand. It looks at its own row only, so it may stand on every node of a cluster.
create function live_payments_stay() returns trigger language plpgsql as $$
begin
  if old.mode = 'test' then
    return old;
  end if;
  raise exception 'Payments of live mode are never deleted' using errcode = 'restrict_violation';
end
$$;

create trigger live_payments_stay before delete on payments for each row execute function live_payments_stay();
