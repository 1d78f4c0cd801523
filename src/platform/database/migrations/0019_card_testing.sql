-- Who tries stolen cards. An attempt carries where it came from and which card it was, as keyed hashes, for as long as
-- nobody knows how it ends; a decline is counted under both. Neither hash outlives 24 hours.
alter table attempts add column address_hash text collate "C";
alter table attempts add column card_fingerprint text collate "C";

-- A challenge tells a stranger that a card is good before anybody has declined it, so open ones are counted too: by a column of
-- their own, as the planner took the index of all attempts in flight for a condition on the state.
alter table attempts add column challenged_from text collate "C";
create index attempts_challenged on attempts (merchant_id, challenged_from) where challenged_from is not null;

create table decline_levels (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  kind text collate "C" not null check (kind in ('address', 'card')),
  name text collate "C" not null,
  -- Declines, less what has leaked away until level_at.
  level double precision not null,
  level_at timestamptz not null,
  primary key (merchant_id, mode, kind, name)
);
create index decline_levels_to_forget on decline_levels (level_at);

-- One row per merchant and mode that ever had a decline.
create table card_attacks (
  merchant_id integer not null references merchants (id),
  mode text collate "C" not null check (mode in ('test', 'live')),
  declines integer not null,
  counted_from timestamptz not null,
  since timestamptz,
  until timestamptz,
  primary key (merchant_id, mode)
);
create index card_attacks_lately on card_attacks (until) where until is not null;
