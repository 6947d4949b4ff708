// Rate limits shared by all processes (generic cell rate algorithm), by the database's clock. 0 is off.

import type { FastifyReply } from 'fastify';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';
import { networksOf } from './client-network.ts';

export type RateLimit = { name: string; quota: number; windowSeconds: number };

export type RateLimitCheck = { limit: RateLimit; who: string };

type RateLimitResult = RateLimitCheck & { isAllowed: boolean; remaining: number; resetSeconds: number };

const bucketOf = ({ limit, who }: RateLimitCheck) => `${limit.name}:${who}`;
const stepSeconds = ({ quota, windowSeconds }: RateLimit) => windowSeconds / quota;

const consumeAllSql = statement({ bucket: t.text, isAllowed: t.bool, busySeconds: t.nullable(t.float8) })`
  with wanted as materialized (
    select bucket, step * interval '1 second' as step, span * interval '1 second' as span
    from unnest($1::text[], $2::float8[], $3::float8[]) as w (bucket, step, span)
  ), taken as (
    insert into rate_limits as r (bucket, full_at)
    select bucket, clock_timestamp() + step from wanted order by bucket
    on conflict (bucket) do update
      set full_at = greatest(r.full_at, clock_timestamp())
                    + (select w.step from wanted w where w.bucket = excluded.bucket)
      where greatest(r.full_at, clock_timestamp())
            <= clock_timestamp() + (select w.span - w.step from wanted w where w.bucket = excluded.bucket)
    returning bucket, full_at
  )
  select bucket, t.full_at is not null as "isAllowed",
         extract(epoch from coalesce(t.full_at, r.full_at) - clock_timestamp())::float8 as "busySeconds"
  from wanted left join taken t using (bucket) left join rate_limits r using (bucket)`;

/** Locks buckets in a fixed order, so that two calls cannot deadlock. If one is empty, the others are still charged. */
async function consumeAll(db: Database, checks: readonly RateLimitCheck[]): Promise<RateLimitResult[]> {
  const rows = await db.inSystem(
    async (tx) =>
      await tx.query(
        consumeAllSql,
        [
          checks.map(bucketOf),
          checks.map(({ limit }) => stepSeconds(limit)),
          checks.map(({ limit }) => limit.windowSeconds),
        ],
        // Every call runs it.
        { isPrepared: true },
      ),
  );
  return checks.map((check) => {
    const row = rows.find(({ bucket }) => bucket === bucketOf(check));
    return toResult(check, row?.isAllowed === true, row?.busySeconds ?? 0);
  });
}

/** The rest of a bucket that will be full again in this many seconds. */
function toResult(check: RateLimitCheck, isAllowed: boolean, busySeconds: number): RateLimitResult {
  const { windowSeconds } = check.limit;
  const step = stepSeconds(check.limit);
  if (!isAllowed) {
    const waitSeconds = busySeconds + step - windowSeconds;
    return { ...check, isAllowed, remaining: 0, resetSeconds: Math.max(1, Math.ceil(waitSeconds)) };
  }
  const remaining = Math.max(0, Math.floor((windowSeconds - busySeconds) / step + 1e-6));
  return { ...check, isAllowed, remaining, resetSeconds: Math.max(0, Math.ceil(busySeconds)) };
}

/** The tightest limit: refused before allowed, then the longest wait or the fewest tokens left. */
function tightestOf(results: readonly RateLimitResult[]): RateLimitResult | undefined {
  const refused = results.filter(({ isAllowed }) => !isAllowed);
  if (refused.length > 0) return refused.sort((a, b) => b.resetSeconds - a.resetSeconds)[0];
  return [...results].sort((a, b) => a.remaining - b.remaining)[0];
}

/** Sets `RateLimit` and `RateLimit-Policy` of the tightest bucket. Throws `rate_limited` with `Retry-After`. */
export async function enforceLimits(
  db: Database,
  checks: readonly RateLimitCheck[],
  reply: FastifyReply,
): Promise<void> {
  const counted = checks.filter(({ limit }) => limit.quota > 0);
  if (counted.length === 0) return;
  const tightest = tightestOf(await consumeAll(db, counted));
  if (!tightest) return;
  const { limit, isAllowed, remaining, resetSeconds } = tightest;
  void reply.header('ratelimit-policy', `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`);
  void reply.header('ratelimit', `"${limit.name}";r=${remaining};t=${resetSeconds}`);
  if (isAllowed) return;
  throw errors.rateLimited({
    detail: `The limit is ${limit.quota} requests in ${limit.windowSeconds} s. Wait ${resetSeconds} s, then try again.`,
    headers: { 'retry-after': String(resetSeconds) },
  });
}

export async function enforceLimit(
  db: Database,
  options: RateLimitCheck & { reply: FastifyReply },
): Promise<void> {
  const { limit, who, reply } = options;
  await enforceLimits(db, [{ limit, who }], reply);
}

/** `enforceLimits` for a client, in each of its networks. */
export async function enforceClientLimit(
  db: Database,
  options: { limit: RateLimit; ip: string; reply: FastifyReply },
): Promise<void> {
  const { limit, ip, reply } = options;
  const checks = networksOf(ip).map(({ name, times }) => ({
    limit: { ...limit, quota: limit.quota * times },
    who: name,
  }));
  await enforceLimits(db, checks, reply);
}

/** Takes one token from a bucket. Returns whether it had one. */
export async function tryConsume(db: Database, check: RateLimitCheck): Promise<boolean> {
  return (await consumeAll(db, [check])).every(({ isAllowed }) => isAllowed);
}

export async function purgeRateLimits(db: Database): Promise<number> {
  return await db.inSystem(async (tx) => {
    const gone = await tx.query(
      `delete from rate_limits where full_at < clock_timestamp() - interval '1 hour' returning bucket`,
    );
    return gone.length;
  });
}
