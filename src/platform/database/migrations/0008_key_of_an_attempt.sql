-- Still once per merchant, with the key first: before there are statistics the planner took an index that begins with
-- the merchant for "the attempts of this payment", and read all attempts of the merchant for each.
alter table attempts drop constraint attempts_idempotency_key_once;
alter table attempts add constraint attempts_idempotency_key_once unique (idempotency_key, merchant_id);
