-- in steps
-- Whether anybody has signed in from a browser: its wrong sign-ins are counted apart from its address's.
drop index concurrently if exists known_devices_by_hash;
create index concurrently known_devices_by_hash on known_devices (hash);
