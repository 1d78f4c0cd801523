-- A link that a newer one replaced stays until its time is over, so that its page can say why it doesn't work.
alter table person_links add column replaced boolean not null default false;
