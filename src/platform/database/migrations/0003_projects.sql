-- A deleted project stays, with deleted_at: its payments go on showing its name. name_folded is the name without
-- regard to case, computed by the program, so that no rule depends on the locale of the database.
create table projects (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null check (id ~ '^prj_[0-9A-Za-z]{16}$'),
  name text collate "C" not null check (char_length(name) between 1 and 255),
  name_folded text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (merchant_id, id)
);

-- Both orders of the list, each with all that a search or a count asks for: neither has to visit the table.
create unique index projects_name_once on projects (merchant_id, name_folded) include (id) where deleted_at is null;
create index projects_newest on projects (merchant_id, created_at, id) include (name_folded) where deleted_at is null;

-- One row per merchant that has or had a project. Every change of a list begins by counting version up, and so waits
-- for the change before it; a version that is still the same says that what was remembered of the list still holds.
create table project_lists (
  merchant_id integer not null primary key references merchants (id),
  version bigint not null
);

-- Each order of a list, cut into shelves of at most a thousand projects. A shelf begins at its key, (created_at, id)
-- or (-infinity, name_folded), and ends where the next one begins. The sum of live is the total, and page 1,000 is
-- found by adding up a hundred shelves instead of passing over a hundred thousand projects.
create table project_shelves (
  merchant_id integer not null references merchants (id),
  sort_by text collate "C" not null check (sort_by in ('created_at', 'project')),
  starts_on timestamptz not null,
  starts_with text collate "C" not null,
  live integer not null check (live >= 0),
  primary key (merchant_id, sort_by, starts_on, starts_with)
);

-- A search reads this index where the database can have it. Both extensions are trusted, so the owner of a database
-- may add them; where that is forbidden the search passes over the names of one merchant in projects_name_once.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index projects_search on projects using gin (merchant_id, name_folded gin_trgm_ops) where deleted_at is null;
exception when others then
  raise notice 'Projects are searched without a trigram index: %', sqlerrm;
end
$$;
