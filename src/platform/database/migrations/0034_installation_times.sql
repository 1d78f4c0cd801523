-- When something was last done for the installation as a whole, such as a backup.
create table installation_times (
  name text collate "C" primary key,
  at timestamptz not null
);
