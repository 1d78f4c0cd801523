-- in steps
-- What has ended and still has its body, the oldest first: rows leave it when they are pruned.
drop index concurrently if exists deliveries_to_prune;
create index concurrently deliveries_to_prune on deliveries (merchant_id, kind, created_at)
  where state <> 'waiting' and state <> 'paused' and body <> '';
