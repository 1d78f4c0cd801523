-- What an account takes, as its network said when it was last checked: the schemes and wallets shown on the buttons.
alter table connector_accounts add column marks text[] not null default '{}';
alter table connector_accounts add constraint connector_accounts_marks_check check (cardinality(marks) <= 20);
alter table installation_accounts add column marks text[] not null default '{}';
alter table installation_accounts add constraint installation_accounts_marks_check check (cardinality(marks) <= 20);
