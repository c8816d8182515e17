/**
 * Takes $7 tokens from a bucket, or fewer if it has fewer. Returns how many it took, and every number that a response shows.
 *
 * A bucket refills continuously, by the clock of the database, up to two minutes of its rate. The row lock of the upsert puts
 * concurrent callers in order, so no minute allows more than the full bucket and the refill of that minute. A refusal writes
 * nothing, so a refused caller does not delay its next token.
 *
 * $1 owner of the bucket, $2 kind of the bucket, or null to take nothing, $3 rate of sync, $4 rate of async, $5 rate of api, all
 * per minute, $6 workspace, $7 tokens wanted, $8 tokens to prefetch, at most a hundredth of those left, $9 tokens prefetched
 * before and not used, which go back into the bucket
 */
export const debitBucket = /* sql */ `
with rate (kind, per_minute) as (
  values ('sync', $3::float8), ('async', $4::float8), ('api', $5::float8)
), asked as (
  select kind, per_minute from rate where kind = $2
), taken as (
  insert into rate_buckets as b (owner, kind, tokens, granted, updated_at)
  select $1, kind, per_minute * 2 - least($7::int, floor(per_minute * 2)), least($7::int, floor(per_minute * 2)), clock_timestamp() from asked
  on conflict (owner, kind) do update set
    (tokens, granted, updated_at) = (
      select l.tokens - g.granted, g.granted, l.at from (
        select clock_timestamp() as at, least((select per_minute * 2 from asked),
          b.tokens + $9::int + greatest(0, extract(epoch from clock_timestamp() - b.updated_at)) * (select per_minute / 60 from asked)) as tokens
      ) l, lateral (
        select least($7::int, floor(l.tokens)) + least($8::int, floor(greatest(0, l.tokens - $7::int) / 100)) as granted
      ) g
    )
  where least((select per_minute * 2 from asked),
      b.tokens + $9::int + greatest(0, extract(epoch from clock_timestamp() - b.updated_at)) * (select per_minute / 60 from asked)) >= 1
  returning kind, tokens, granted
), level as (
  select r.kind, r.per_minute, coalesce(t.tokens, least(r.per_minute * 2,
    b.tokens + greatest(0, extract(epoch from clock_timestamp() - b.updated_at)) * r.per_minute / 60), r.per_minute * 2) as tokens
  from rate r
  left join taken t on t.kind = r.kind
  left join rate_buckets b on b.owner = $1 and b.kind = r.kind
)
select
  coalesce((select granted from taken), 0) as granted,
  json_object_agg(kind, json_build_object(
    'remaining', floor(tokens),
    'resetAt', to_char((clock_timestamp() + make_interval(secs => (per_minute * 2 - tokens) * 60 / per_minute)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'nextInS', greatest(0, (1 - tokens) * 60 / per_minute)
  )) as buckets,
  (select coalesce(sum(cost), 0)::float8 from usage_totals
    where workspace_id = $6 and period = date_trunc('month', now() at time zone 'utc')) as cost,
  -- The owner of the buckets of a personal key is its user, so $1 is a user id here.
  (select json_build_object('limit', c.monthly_cost, 'cost', (select coalesce(sum(cost), 0) from usage_members u
      where u.workspace_id = $6 and u.actor = $1 and u.period = date_trunc('month', now() at time zone 'utc')))
    from member_caps c where c.workspace_id = $6 and c.user_id = $1) as cap
from level`;
