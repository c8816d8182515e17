/**
 * Takes so many tokens of a bucket, or those there are, and reads every number that an answer shows, in one statement on the database's clock:
 * the row lock of the upsert orders concurrent takers, so that never more than burst + rate pass. A bucket refills
 * continuously; a refusal writes nothing, so that a refused caller does not delay its next token.
 *
 * $1 owner, $2 kind or null to only look, $3 sync/min, $4 async/min, $5 api/min, $6 workspace, $7 tokens wanted, $8 more that are
 * taken ahead, as far as they are a hundredth of what is left, $9 tokens taken ahead before that nobody used
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
  -- The owner of the buckets of a personal key is its user.
  (select json_build_object('limit', c.monthly_cost, 'cost', (select coalesce(sum(cost), 0) from usage_members u
      where u.workspace_id = $6 and u.actor = $1 and u.period = date_trunc('month', now() at time zone 'utc')))
    from member_caps c where c.workspace_id = $6 and c.user_id = $1) as cap
from level`;
