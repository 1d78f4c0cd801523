-- How long dashboard sessions of a shop's team last without use.
alter table merchants add column idle_minutes integer not null default 720;
alter table merchants add constraint merchants_idle_minutes_check check (idle_minutes between 15 and 720);
