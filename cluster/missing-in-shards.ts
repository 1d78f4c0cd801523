/**
 * For a node: columns that are not the same in a shard of a table as in the table, and tables whose shard has fewer
 * constraints, indexes or triggers. Florin writes to shards by their own names, so PostgreSQL must know all of it there.
 */
export const missingInShards = `
  with pairs as (
    select distinct on (logicalrelid) logicalrelid as whole, shard_name(logicalrelid, shardid)::regclass as shard
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_local_group using (groupid)
    order by logicalrelid, shardid
  ), rules as (
    select conrelid as relation, 'constraint' as kind from pg_constraint
    union all select indrelid, 'index' from pg_index
    union all select tgrelid, 'trigger' from pg_trigger where not tgisinternal
  ), counted as (
    select whole, kind, count(*) filter (where relation = whole) - count(*) filter (where relation = shard) as fewer
    from pairs join rules on relation in (whole, shard) group by whole, kind
  )
  select whole || '.' || one.attname as missing
  from pairs join pg_attribute as one on one.attrelid = whole and one.attnum > 0 and not one.attisdropped
  left join pg_attribute as other on other.attrelid = shard and other.attname = one.attname
  left join pg_attrdef as ours on ours.adrelid = one.attrelid and ours.adnum = one.attnum
  left join pg_attrdef as theirs on theirs.adrelid = other.attrelid and theirs.adnum = other.attnum
  where (one.atttypid, one.attcollation, one.attnotnull, one.attidentity, one.attgenerated, pg_get_expr(ours.adbin, whole))
    is distinct from (other.atttypid, other.attcollation, other.attnotnull, other.attidentity, other.attgenerated,
      pg_get_expr(theirs.adbin, shard))
  union all select whole || ': ' || kind from counted where fewer <> 0`
