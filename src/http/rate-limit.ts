// Limits how often something may be done, shared by all processes: the generic cell rate algorithm as
// one guarded statement on the database's clock. A limit of 0 is switched off.

import type { FastifyReply } from 'fastify';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';

export type Limit = { name: string; quota: number; windowSeconds: number };

type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

async function take(db: Database, bucket: string, limit: Limit): Promise<Taken> {
  const stepSeconds = limit.windowSeconds / limit.quota;
  return await db.inSystem(async (tx) => {
    const [taken] = await tx.query<{ busy: number }>(
      `insert into rate_limits as r (bucket, full_at) values ($1, clock_timestamp() + make_interval(secs => $2))
       on conflict (bucket) do update
         set full_at = greatest(r.full_at, clock_timestamp()) + make_interval(secs => $2)
         where greatest(r.full_at, clock_timestamp()) + make_interval(secs => $2)
               <= clock_timestamp() + make_interval(secs => $3)
       returning extract(epoch from full_at - clock_timestamp())::float8 as busy`,
      [bucket, stepSeconds, limit.windowSeconds],
    );
    if (taken) {
      const remaining = Math.max(0, Math.floor((limit.windowSeconds - taken.busy) / stepSeconds + 1e-6));
      return { allowed: true, remaining, resetSeconds: Math.max(0, Math.ceil(taken.busy)) };
    }
    const [full] = await tx.query<{ busy: number }>(
      'select extract(epoch from full_at - clock_timestamp())::float8 as busy from rate_limits where bucket = $1',
      [bucket],
    );
    const waitSeconds = (full?.busy ?? 0) + stepSeconds - limit.windowSeconds;
    return { allowed: false, remaining: 0, resetSeconds: Math.max(1, Math.ceil(waitSeconds)) };
  });
}

/**
 * Takes one from the bucket of `who` and sets the `RateLimit` and `RateLimit-Policy` headers
 * (draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited` with `Retry-After` when it is empty.
 */
export async function enforceLimit(
  db: Database,
  options: { limit: Limit; who: string; reply: FastifyReply },
): Promise<void> {
  const { limit, who, reply } = options;
  if (limit.quota === 0) return;
  const taken = await take(db, `${limit.name}:${who}`, limit);
  void reply.header('ratelimit-policy', `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`);
  void reply.header('ratelimit', `"${limit.name}";r=${taken.remaining};t=${taken.resetSeconds}`);
  if (taken.allowed) return;
  throw errors.rateLimited({
    detail: `At most ${limit.quota} in ${limit.windowSeconds} s. Wait ${taken.resetSeconds} s, then try again.`,
    headers: { 'retry-after': String(taken.resetSeconds) },
  });
}

/** Forgets buckets that have been full for an hour. Returns how many. */
export async function purgeRateLimits(db: Database): Promise<number> {
  return await db.inSystem(async (tx) => {
    const gone = await tx.query(
      `delete from rate_limits where full_at < clock_timestamp() - interval '1 hour' returning bucket`,
    );
    return gone.length;
  });
}
