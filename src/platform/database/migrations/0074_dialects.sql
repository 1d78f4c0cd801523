-- A key for a plugin that was written for another service speaks that service's dialect. A payment keeps the dialect of the
-- key it was created with; null is Florin's own. Payments have no check for it: each costs every write of a payment (0015).
alter table keys add column dialect text collate "C" not null default 'florin';
alter table keys add constraint keys_dialect_check
  check (dialect in ('florin', 'family') and (dialect = 'florin' or kind <> 'api')) not valid;
alter table payments add column dialect text collate "C";
