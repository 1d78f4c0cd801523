-- Entries wait in a list and enter the index some hundred at a time: writing one takes 190 µs instead of 350. Every look into
-- the index reads the whole list, so it stays short.
alter index search_entries_grams set (fastupdate = on, gin_pending_list_limit = 128);
