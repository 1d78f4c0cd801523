-- Lists of projects are read from projects alone. What was kept beside it to read long lists faster is gone:
-- docs/decisions/0010-lists-from-one-table.md says why.
drop table project_changes;
drop table project_shelves;
drop table project_lists;

-- How many projects a merchant has that are not deleted, counted in the statement that creates or deletes one. Counting
-- 100,000 of them takes 10 ms, and every page of the list says how many there are.
create table project_counts (
  merchant_id integer not null primary key references merchants (id),
  live integer not null check (live >= 0)
);
insert into project_counts (merchant_id, live)
select merchant_id, count(*) from projects where deleted_at is null group by merchant_id;
