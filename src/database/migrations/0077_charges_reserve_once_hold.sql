-- Reads every row without a lock that keeps others out.
alter table saved_method_days validate constraint saved_method_days_not_negative;
alter table saved_method_charges validate constraint saved_method_charges_reserved_check;
