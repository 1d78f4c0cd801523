-- A charge of a saved method gives back what it reserved, where it reserved it, and once. Charges without the ceiling for all
-- methods together made room in it when they were declined, so that its row fell below zero.
alter table saved_method_charges add column reserved text collate "C";
alter table saved_method_charges add constraint saved_method_charges_reserved_check
  check (reserved in ('method', 'method_and_all')) not valid;
alter table saved_method_days add constraint saved_method_days_not_negative check (charged_minor >= 0) not valid;
