-- The rules of the busiest tables are the same, in one function per table instead of a check each. PostgreSQL reads every
-- check of a table from its text anew for each statement that writes a row: 65 of the 145 microseconds that a create of
-- one payment cost (docs/decisions/0015-rules-in-one-function.md). Each refusal still names its rule.
create function payment_is_sound(
  number text, mode text, tx_ref text, type text, state text, late boolean, currency text, amount_minor bigint,
  charge_minor bigint, refunded_minor bigint, idempotency_key text, body_hash bytea
) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if not (number ~ '^[0-9]{24}$') then broken := 'payments_number_check';
  elsif not (mode in ('test', 'live')) then broken := 'payments_mode_check';
  elsif not (char_length(tx_ref) between 1 and 255) then broken := 'payments_tx_ref_check';
  elsif not (type in ('API', 'Form', 'Link')) then broken := 'payments_type_check';
  elsif not (state in ('pending', 'success', 'failed', 'cancelled', 'expired', 'refunded', 'reversed')) then
    broken := 'payments_state_check';
  elsif not (currency ~ '^[A-Z]{3}$') then broken := 'payments_currency_check';
  elsif not (amount_minor > 0) then broken := 'payments_amount_minor_check';
  elsif not (charge_minor >= 0) then broken := 'payments_charge_minor_check';
  elsif not (refunded_minor between 0 and amount_minor) then broken := 'payments_refunded_at_most_all';
  elsif not (refunded_minor = 0 or state in ('success', 'refunded', 'reversed')) then
    broken := 'payments_refunded_when_paid';
  elsif state = 'refunded' and refunded_minor <> amount_minor then broken := 'payments_refunded_is_all';
  elsif late and not (state in ('success', 'refunded', 'reversed')) then broken := 'payments_late_when_paid';
  elsif (idempotency_key is null) <> (body_hash is null) then broken := 'payments_key_with_body';
  else return true;
  end if;
  raise exception using errcode = 'check_violation', table = 'payments', constraint = broken,
    message = format('new row for relation "payments" violates check constraint "%s"', broken);
end $$;

alter table payments add constraint payments_are_sound check (
  payment_is_sound(number, mode, tx_ref, type, state, late, currency, amount_minor, charge_minor, refunded_minor,
    idempotency_key, body_hash)) not valid;
alter table payments validate constraint payments_are_sound;

alter table payments
  drop constraint payments_number_check,
  drop constraint payments_mode_check,
  drop constraint payments_tx_ref_check,
  drop constraint payments_type_check,
  drop constraint payments_state_check,
  drop constraint payments_currency_check,
  drop constraint payments_amount_minor_check,
  drop constraint payments_charge_minor_check,
  drop constraint payments_check,
  drop constraint payments_check1,
  drop constraint payments_check2,
  drop constraint payments_check3,
  drop constraint payments_check4;

create function delivery_is_sound(kind text, mode text, state text, next_try_at timestamptz)
returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if not (kind in ('ipn', 'mail')) then broken := 'deliveries_kind_check';
  elsif not (mode in ('test', 'live')) then broken := 'deliveries_mode_check';
  elsif not (state in ('waiting', 'delivered', 'failed', 'paused', 'skipped', 'kept')) then
    broken := 'deliveries_state_check';
  elsif (state = 'waiting') <> (next_try_at is not null) then broken := 'deliveries_tried_while_waiting';
  else return true;
  end if;
  raise exception using errcode = 'check_violation', table = 'deliveries', constraint = broken,
    message = format('new row for relation "deliveries" violates check constraint "%s"', broken);
end $$;

alter table deliveries add constraint deliveries_are_sound
  check (delivery_is_sound(kind, mode, state, next_try_at)) not valid;
alter table deliveries validate constraint deliveries_are_sound;

alter table deliveries
  drop constraint deliveries_kind_check,
  drop constraint deliveries_mode_check,
  drop constraint deliveries_state_check,
  drop constraint deliveries_check;
