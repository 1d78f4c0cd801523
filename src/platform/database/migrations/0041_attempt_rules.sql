-- The rules of attempts are the same, in one function instead of a check each, as those of payments and deliveries are
-- (docs/decisions/0015-rules-in-one-function.md): an attempt is written at least twice, mostly by a statement of its own.
create function attempt_is_sound(attempt integer, state text, card_last4 text, account_id text, method text)
returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if not (attempt between 1 and 100) then broken := 'attempts_attempt_check';
  elsif not (state in ('started', 'action_required', 'submitted', 'succeeded', 'declined', 'abandoned', 'unknown', 'held',
                       'surplus', 'returned')) then broken := 'attempts_state_check';
  elsif not (card_last4 ~ '^[0-9]{4}$') then broken := 'attempts_card_last4_check';
  elsif not (method in ('card', 'bank')) then broken := 'attempts_method_known';
  elsif (account_id is null) <> (method is null) then broken := 'attempts_account_with_method';
  else return true;
  end if;
  raise exception using errcode = 'check_violation', table = 'attempts', constraint = broken,
    message = format('new row for relation "attempts" violates check constraint "%s"', broken);
end $$;

alter table attempts add constraint attempts_are_sound
  check (attempt_is_sound(attempt, state, card_last4, account_id, method)) not valid;
