-- Who decided what a person decided: the id of a person, or user@machine. Null for everything that Florin does by itself.
alter table payment_history add column actor text collate "C";
