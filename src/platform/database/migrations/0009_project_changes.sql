-- The last changes of each list, by the version that each one made. A server that holds the names of a long list in
-- memory catches up by reading what is newer than its own version. The versions follow one another: where one is
-- missing, the list was changed by other means or too often, and the names are read afresh.
create table project_changes (
  merchant_id integer not null references merchants (id),
  version bigint not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  -- Folded; null before a create and after a delete.
  name_before text collate "C",
  name_after text collate "C",
  primary key (merchant_id, version)
);

-- Payments of a deleted project are found by its name, as long as no other project has taken it.
create index projects_deleted on projects (merchant_id, name_folded, deleted_at) where deleted_at is not null;
