-- in steps
-- In place of attempts_to_check, with the pages that were left open.
drop index concurrently if exists attempts_due;
create index concurrently attempts_due on attempts (next_check_at)
  where state in ('started', 'action_required', 'submitted', 'unknown', 'surplus', 'left_open');
drop index concurrently if exists attempts_to_check;
