-- Networks tell of saved methods that their customers ended, too.
alter table callback_events drop constraint callback_events_about_check;
alter table callback_events add constraint callback_events_about_check
  check (about in ('order', 'refund', 'dispute', 'payout', 'method')) not valid;
