// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header) for every POST with credentials. After a crash, the
// request runs again with the same seed, so it finds what the first run created. Must not: give one caller the
// response of another.

import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { deriveId, type IdPrefix } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { runOnAtLeast } from '../base/time-budget.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { Principal } from './authentication.ts';
import type { HttpServer } from './http-server.ts';
import {
  claimKey,
  deleteKey,
  deleteKeysBefore,
  deleteOldKeys,
  endLease,
  type Fingerprints,
  findKey,
  type HeldKey,
  type IdempotencyRecord,
  type KeyName,
  storeResponse,
} from './idempotency-store.ts';

/** The source of new IDs and secrets: the same in each run of an Idempotency-Key; without one, of the request. */
export type RequestSeed = { seed: Buffer; at: Date };

type IdempotencyClaim = HeldKey & TenantScope & { subject: RequestSeed };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a POST that changes nothing: it needs no protection from repetition, so no response is stored. */
    changesNothing?: boolean;
  }
  interface FastifyRequest {
    /** The key that this run holds; null without one, and when the response is a replay. */
    idempotencyClaim: IdempotencyClaim | null;
    /** Set at first use; see `requestSeedOf`. */
    ownSeed: RequestSeed | null;
  }
}

export type IdempotencyDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  /** How long a run may take before another may begin, in seconds; longer than any request. */
  leaseSeconds?: number;
};

const defaultLeaseSeconds = 60;
/** For the end of a run, even with a spent budget: an unfinished lease refuses the same request until it expires. */
const endLimitMs = 800;
const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** The seed of a request. It is the same throughout the handler. */
export function requestSeedOf(request: FastifyRequest, clock: Clock): RequestSeed {
  if (request.idempotencyClaim) return request.idempotencyClaim.subject;
  request.ownSeed ??= { seed: randomBytes(32), at: clock.now() };
  return request.ownSeed;
}

/** For one purpose, such as 'api-key'. The bytes are not secret: the seed is stored in plain form. */
export function deriveBytes(requestSeed: RequestSeed, purpose: string): Buffer {
  return createHmac('sha256', requestSeed.seed).update(purpose).digest();
}

/** The ID of the one thing of its kind that a request creates: the same in each run of an Idempotency-Key. */
export function deriveRequestId(request: FastifyRequest, prefix: IdPrefix, clock: Clock): string {
  const requestSeed = requestSeedOf(request, clock);
  return deriveId(prefix, requestSeed.at, deriveBytes(requestSeed, prefix));
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Of method, address, mode and body. A MAC, because a body may contain a password that could be guessed. */
function fingerprintsOf(keyring: Keyring, request: FastifyRequest, principal: Principal): Fingerprints {
  const parts = [request.method, request.url, principal.mode, canonicalJson(request.body ?? null)];
  const text = `request:${JSON.stringify(parts)}`;
  return { own: keyring.mac('digest', text), good: keyring.acceptedMacs('digest', text) };
}

/** An account, or a service key with its successors: a request that is repeated after a roll is not carried out again. */
function ownerOf(principal: Principal): string {
  return 'firstKeyId' in principal ? `key:${principal.firstKeyId}` : principal.accountId;
}

function readKey(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return null;
  if (typeof value === 'string' && keyPattern.test(value)) return value;
  throw errors.invalidIdempotencyKey({
    errors: [
      {
        field: 'Idempotency-Key',
        code: 'wrong_format',
        detail: 'This header must have 1 to 255 printable ASCII characters.',
      },
    ],
  });
}

/** The context for encrypting a response. The seed gives each row its own key. */
const encryptionContext = (companyId: string, name: KeyName, seed: Buffer) =>
  JSON.stringify([companyId, name.owner, name.key, seed.toString('hex')]);

/** Headers that belong to the response and are stored with it. */
const replayedHeaders = ['content-type', 'deprecation', 'link', 'location', 'etag'] as const;

type StoredResponse = { headers: Record<string, string>; body: string };

/** Errors that the handler decided are replayed. Errors from before the handler, and server errors, are not. */
export function isReplayable(status: number): boolean {
  return status < 500 && ![400, 401, 403, 413, 415, 422, 429].includes(status);
}

function replay(
  deps: IdempotencyDeps,
  reply: FastifyReply,
  context: string,
  record: IdempotencyRecord,
): void {
  const plain = deps.keyring.open('answer', context, record.answer ?? Buffer.alloc(0));
  const { headers, body } = JSON.parse(plain.toString('utf8')) as StoredResponse;
  void reply
    .code(record.status ?? 200)
    .headers({ ...headers, 'idempotent-replayed': 'true' })
    .send(body);
}

/**
 * Requests whose keys end by the company's test clock: those about payments. A key of a request that creates a credential, or
 * moves the clock, ends in real time.
 */
const clockedPath = /^\/v1\/(payment|payments|test\/payments|test\/events|bank-\w+)\//;

type AcquiredKey = { subject: RequestSeed; lease: string };

/** Claims the key for this run, or returns the response to send instead. */
async function acquireKey(
  deps: IdempotencyDeps,
  order: { scope: TenantScope; name: KeyName; fingerprints: Fingerprints; followsTestClock: boolean },
): Promise<AcquiredKey | IdempotencyRecord> {
  const { scope, name, fingerprints, followsTestClock } = order;
  const own = { seed: randomBytes(32), subjectAt: deps.clock.now() };
  const leaseSeconds = deps.leaseSeconds ?? defaultLeaseSeconds;
  return await deps.db.inTenant(scope, async (tx) => {
    // A key can be released between the claim and the read. Then it is free, so try again.
    for (let round = 0; round < 5; round++) {
      const claimed = await claimKey(tx, name, { ...own, fingerprints, leaseSeconds, followsTestClock });
      if (claimed) return { subject: { seed: claimed.seed, at: claimed.subjectAt }, lease: claimed.lease };
      const record = await findKey(tx, name);
      if (record) return record;
    }
    throw errors.idempotencyInProgress({ headers: { 'retry-after': '1' } });
  });
}

/** Before the handler: a first request continues with its claim; every other gets its response here. */
async function beginRun(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { principal } = request;
  if (request.method !== 'POST' || !principal || request.routeOptions.config.changesNothing) return undefined;
  const key = readKey(request);
  if (key === null) return undefined;
  const { companyId, mode } = principal;
  const name = { owner: ownerOf(principal), key };
  const fingerprints = fingerprintsOf(deps.keyring, request, principal);
  const followsTestClock = clockedPath.test(request.url);
  const acquired = await acquireKey(deps, { scope: principal, name, fingerprints, followsTestClock });
  if ('lease' in acquired) {
    request.idempotencyClaim = { companyId, mode, ...name, ...acquired };
    return undefined;
  }
  if (!fingerprints.good.some((good) => acquired.fingerprint.equals(good)))
    throw errors.idempotencyKeyReused();
  if (acquired.state === 'running') throw errors.idempotencyInProgress({ headers: { 'retry-after': '1' } });
  replay(deps, reply, encryptionContext(companyId, name, acquired.seed), acquired);
  return reply;
}

async function endRun(
  deps: IdempotencyDeps,
  claim: IdempotencyClaim,
  response: StoredResponse & { status: number },
): Promise<void> {
  const { companyId, owner, key, lease, subject: requestSeed } = claim;
  const { status, headers, body } = response;
  const name = { owner, key, lease };
  await deps.db.inTenant(claim, async (tx) => {
    if (isReplayable(status)) {
      const plain = Buffer.from(JSON.stringify({ headers, body } satisfies StoredResponse));
      const sealed = deps.keyring.seal('answer', encryptionContext(companyId, name, requestSeed.seed), plain);
      await storeResponse(tx, name, { status, answer: sealed });
    } else if (status < 500) await deleteKey(tx, name);
    else await endLease(tx, name);
  });
}

function headersToStore(reply: FastifyReply): Record<string, string> {
  const entries = replayedHeaders.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** For every POST with credentials that changes something. Call it before registering routes. */
export function useIdempotency(app: HttpServer, deps: IdempotencyDeps): void {
  app.decorateRequest('idempotencyClaim', null);
  app.decorateRequest('ownSeed', null);
  app.addHook('preHandler', async (request, reply) => await beginRun(deps, request, reply));
  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = request.idempotencyClaim;
    if (!claim) return done(null, payload);
    request.idempotencyClaim = null;
    const body = typeof payload === 'string' ? payload : '';
    const response = { status: reply.statusCode, headers: headersToStore(reply), body };
    runOnAtLeast(endLimitMs, async () => await endRun(deps, claim, response))
      .catch((err: unknown) =>
        // The work is done, so respond. A repetition finds its result after the lease.
        request.log.warn({ err }, 'a response could not be stored for its Idempotency-Key'),
      )
      .then(() => done(null, payload), done);
  });
}

const keyLifeMs = 48 * 60 * 60 * 1000;

/** Ends the old keys of a company in one mode, by the company's time. Returns how many. */
export async function endOldKeys(
  { db, clock }: { db: Database; clock: Clock },
  scope: TenantScope,
): Promise<number> {
  const before = new Date(clock.now().getTime() - keyLifeMs);
  return await db.inTenant(scope, async (tx) => await deleteKeysBefore(tx, before));
}

/** So few that a statement ends long before the database's limit. */
const usualBatch = 5_000;

export async function purgeIdempotencyKeys(db: Database, batchSize: number = usualBatch): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldKeys);
}
