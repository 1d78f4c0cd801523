-- A currency that a merchant switches off keeps its fee: switching it on again must not change what an operator set.
alter table merchant_currencies add column is_on boolean not null default true;
