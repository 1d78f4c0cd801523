-- Warnings about unknown fields of a request, one per line; null if there were none.
alter table request_log add column warnings text;
