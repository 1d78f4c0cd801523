-- What a form key lets a stranger do who reads it in a page: whom we call, which tx_refs are taken, and what stands under
-- the merchant's name. Keys that were made before have none of these, and go on as they were.
alter table keys add column form_callback_hosts text[];
alter table keys add column form_tx_ref_prefix text;
-- Whether title, description and logo of a form are shown that is not signed.
alter table keys add column form_shows_title boolean;
-- What forms of this key have to be signed with, sealed.
alter table keys add column form_secret bytea;
alter table keys add constraint keys_form_columns check (kind = 'form' or (form_callback_hosts is null
  and form_tx_ref_prefix is null and form_shows_title is null and form_secret is null));
