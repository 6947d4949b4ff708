// Rate limits shared by all processes (generic cell rate algorithm), by the database's clock. 0 is off.

import type { FastifyReply } from 'fastify';
import { type BatchItemResult, createSharedBatcher } from '../base/batcher.ts';
import { errors } from '../base/errors.ts';
import { isRowError } from '../db/connection.ts';
import type { Database, SystemTx } from '../db/database.ts';
import { type RowOf, statement, t } from '../db/statements.ts';
import { unnestRows } from '../db/unnest.ts';
import { networksOf } from './client-network.ts';

export type RateLimit = { name: string; quota: number; windowSeconds: number };

export type RateLimitCheck = { limit: RateLimit; who: string };

type RateLimitResult = RateLimitCheck & { isAllowed: boolean; remaining: number; resetSeconds: number };

const bucketOf = ({ limit, who }: RateLimitCheck) => `${limit.name}:${who}`;
const stepSeconds = ({ quota, windowSeconds }: RateLimit) => windowSeconds / quota;

/** The calls of a batch that count in one bucket. */
type Demand = { bucket: string; calls: number; step: number; span: number };

/** What a bucket had before the batch, and how many of its calls it allows. `isCounted` is false after a race. */
const Grant = { bucket: t.text, busySeconds: t.float8, allowed: t.int4, isCounted: t.bool };
type Grant = RowOf<typeof Grant>;

// `counted` reads the clock when the rows are locked. A new bucket may have been created by another process meanwhile:
// then `made` does not have it, nothing was counted, and the caller asks again.
const consumeSql = statement(Grant)`
  with wanted as materialized (
    select bucket, calls, step, span from ${unnestRows('$1::text[], $2::integer[], $3::float8[], $4::float8[]', 'bucket, calls, step, span')}
  ), held as materialized (
    select r.bucket, r.full_at from wanted w join rate_limits r using (bucket) order by r.bucket for update of r
  ), counted as materialized (
    select bucket, calls, step, span, h.full_at is null as is_new,
           coalesce(greatest(extract(epoch from h.full_at - clock_timestamp()), 0), 0)::float8 as busy
    from wanted w left join held h using (bucket)
  ), granted as materialized (
    select bucket, step, busy, is_new, greatest(0, least(calls, floor((span - busy) / step + 1e-6)))::integer as allowed from counted
  ), updated as (
    update rate_limits r set full_at = clock_timestamp() + (busy + allowed * step) * interval '1 second'
    from granted g where r.bucket = g.bucket and not is_new and allowed > 0
  ), made as (
    insert into rate_limits (bucket, full_at)
    select bucket, clock_timestamp() + allowed * step * interval '1 second' from granted where is_new order by bucket
    on conflict (bucket) do nothing
    returning bucket
  )
  select g.bucket, busy as "busySeconds", allowed, not is_new or m.bucket is not null as "isCounted"
  from granted g left join made m using (bucket)`;

/** Far more than needed: a bucket exists after the first. */
const maxRounds = 5;

/** Counts calls, some of them again if another process created their bucket at the same moment. */
async function consume(db: Database, demands: readonly Demand[]): Promise<Map<string, Grant>> {
  const grants = new Map<string, Grant>();
  let left = demands;
  for (let round = 0; round < maxRounds && left.length > 0; round++) {
    const lists = [
      left.map(({ bucket }) => bucket),
      left.map(({ calls }) => calls),
      left.map(({ step }) => step),
      left.map(({ span }) => span),
    ];
    const count = async (tx: SystemTx) => await tx.query(consumeSql, lists, { isPrepared: true });
    const rows = await db.inSystem(count, { isSingle: true });
    for (const row of rows) if (row.isCounted) grants.set(row.bucket, row);
    left = left.filter(({ bucket }) => !grants.has(bucket));
  }
  return grants;
}

/** How often each bucket occurs in the calls of a batch. */
function demandsOf(calls: readonly (readonly RateLimitCheck[])[]): Demand[] {
  const demands = new Map<string, Demand>();
  for (const check of calls.flat()) {
    const bucket = bucketOf(check);
    const demand = demands.get(bucket);
    if (demand) demand.calls++;
    else
      demands.set(bucket, {
        bucket,
        calls: 1,
        step: stepSeconds(check.limit),
        span: check.limit.windowSeconds,
      });
  }
  return [...demands.values()];
}

/** Counts the calls of a batch, first come, first served. A call that one bucket refuses is still charged to its others. */
async function consumeBatch(
  db: Database,
  calls: readonly (readonly RateLimitCheck[])[],
): Promise<BatchItemResult<RateLimitResult[]>[]> {
  const grants = await consume(db, demandsOf(calls));
  const charged = new Map<string, number>();
  const resultOf = (check: RateLimitCheck): RateLimitResult => {
    const bucket = bucketOf(check);
    const grant = grants.get(bucket);
    if (!grant) throw new Error('a bucket was not counted');
    const place = (charged.get(bucket) ?? 0) + 1;
    charged.set(bucket, place);
    const isAllowed = place <= grant.allowed;
    const busySeconds = grant.busySeconds + Math.min(place, grant.allowed) * stepSeconds(check.limit);
    return toResult(check, isAllowed, busySeconds);
  };
  return calls.map((checks) => ({ value: checks.map(resultOf) }));
}

/** Counts a call against all its limits. Calls that come while others are counted share the next statement. */
const consumeInBatch = createSharedBatcher<Database, readonly RateLimitCheck[], RateLimitResult[]>((db) => ({
  runBatch: async (_, calls) => await consumeBatch(db, calls),
  maxItems: 200,
  mayBeOfOne: isRowError,
  besideAfterMs: 50,
}));

const consumeAll = async (db: Database, checks: readonly RateLimitCheck[]): Promise<RateLimitResult[]> =>
  await consumeInBatch(db, '', checks);

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
    limit: limit.name,
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
