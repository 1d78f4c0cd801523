-- in steps
-- Names and references are found by search_entries now; a payment that ends writes two index entries less.
drop index concurrently if exists payments_of_surname;
drop index concurrently if exists payments_of_reference;
