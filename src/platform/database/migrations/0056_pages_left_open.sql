-- Two more ways to pay, and pages that a network can't close: left_open is an attempt whose page the customer left and
-- can still pay on. It is not in flight, and it is looked at until the network has had its days.
create or replace function attempt_is_sound(attempt integer, state text, card_last4 text, account_id text, method text)
returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if not (attempt between 1 and 100) then broken := 'attempts_attempt_check';
  elsif not (state in ('started', 'action_required', 'submitted', 'succeeded', 'declined', 'abandoned', 'unknown', 'held',
                       'surplus', 'returned', 'left_open')) then broken := 'attempts_state_check';
  elsif not (card_last4 ~ '^[0-9]{4}$') then broken := 'attempts_card_last4_check';
  elsif not (method in ('card', 'bank', 'mobile_money', 'wallet')) then broken := 'attempts_method_known';
  elsif (account_id is null) <> (method is null) then broken := 'attempts_account_with_method';
  else return true;
  end if;
  raise exception using errcode = 'check_violation', table = 'attempts', constraint = broken,
    message = format('new row for relation "attempts" violates check constraint "%s"', broken);
end $$;
