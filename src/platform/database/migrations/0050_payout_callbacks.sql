-- Reads every row without a lock that keeps others out.
alter table callback_events validate constraint callback_events_about_check;
