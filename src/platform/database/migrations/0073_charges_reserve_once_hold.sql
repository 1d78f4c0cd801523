-- Locks saved_method_days: the rows below zero only, at most one per merchant, currency and day.
update saved_method_days set charged_minor = 0 where charged_minor < 0;
-- Reads every row without a lock that keeps others out.
alter table saved_method_days validate constraint saved_method_days_not_negative;
alter table saved_method_charges validate constraint saved_method_charges_reserved_check;
