// All SQL of idempotency keys: one exported function per statement. A lease uses the database's clock, which
// all processes share. Must not: give a key to two runs, or a new seed to an existing key.

import type { TenantTx } from '../db/database.ts';
import { deleteOldest } from '../db/delete-in-batches.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

/** Whose key it is (see `ownerOf` in idempotency.ts), and the key. The company and the mode come from the transaction. */
export type KeyName = { owner: string; key: string };

/** The fingerprints of a request: `own` is stored; a stored one that equals any of `good` matches. */
export type Fingerprints = { own: Buffer; good: readonly Buffer[] };

/** `lease` is its end by the database's clock, in microseconds. It also identifies the run that holds the key. */
export const ClaimedKey = {
  seed: t.bytea,
  subjectAt: t.timestamptz,
  lease: t.computed('leased_until::text', t.text),
};
export type ClaimedKey = RowOf<typeof ClaimedKey>;

/** The key of a run that has claimed it. Its writes have no effect once another run has the lease. */
export type HeldKey = KeyName & { lease: string };

const claimKeySql = statement(ClaimedKey)`
  insert into idempotency_keys as k
    (company_id, account_id, key, fingerprint, seed, subject_at, leased_until, follows_test_clock)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7), $9)
  on conflict (company_id, mode, account_id, key) do update set leased_until = excluded.leased_until
    where k.state = 'running' and k.fingerprint = any($8) and k.leased_until <= clock_timestamp()
  returning ${ClaimedKey}`;

export type KeyClaim = {
  fingerprints: Fingerprints;
  seed: Buffer;
  subjectAt: Date;
  leaseSeconds: number;
  /** Whether the company's test clock ends the key, or real time. */
  followsTestClock: boolean;
};

/** Claims an unused key, or one whose run ended without a response. Null when it is held or has a response. */
export async function claimKey(tx: TenantTx, name: KeyName, claim: KeyClaim): Promise<ClaimedKey | null> {
  const { fingerprints, seed, subjectAt, leaseSeconds, followsTestClock } = claim;
  const run = [fingerprints.own, seed, subjectAt, leaseSeconds, fingerprints.good, followsTestClock];
  return first(await tx.query(claimKeySql, [tx.companyId, name.owner, name.key, ...run]));
}

export const IdempotencyRecord = {
  fingerprint: t.bytea,
  seed: t.bytea,
  state: t.oneOf('running', 'done'),
  status: t.nullable(t.int4),
  answer: t.nullable(t.bytea),
};
export type IdempotencyRecord = RowOf<typeof IdempotencyRecord>;

const findKeySql = statement(IdempotencyRecord)`
  select ${IdempotencyRecord} from idempotency_keys
  where company_id = $1 and account_id = $2 and key = $3`;

export async function findKey(tx: TenantTx, name: KeyName): Promise<IdempotencyRecord | null> {
  return first(await tx.query(findKeySql, [tx.companyId, name.owner, name.key]));
}

export async function storeResponse(
  tx: TenantTx,
  name: HeldKey,
  response: { status: number; answer: Buffer },
): Promise<void> {
  await tx.query(
    `update idempotency_keys set state = 'done', status = $4, answer = $5
     where company_id = $1 and account_id = $2 and key = $3 and state = 'running' and leased_until = $6::timestamptz`,
    [tx.companyId, name.owner, name.key, response.status, response.answer, name.lease],
  );
}

/** Releases a key as if unused: the request was refused and did nothing. */
export async function deleteKey(tx: TenantTx, name: HeldKey): Promise<void> {
  await tx.query(
    `delete from idempotency_keys
     where company_id = $1 and account_id = $2 and key = $3 and state = 'running' and leased_until = $4::timestamptz`,
    [tx.companyId, name.owner, name.key, name.lease],
  );
}

/** Ends the lease of an aborted run. The same request may run again at once, with the same seed. */
export async function endLease(tx: TenantTx, name: HeldKey): Promise<void> {
  await tx.query(
    `update idempotency_keys set leased_until = clock_timestamp()
     where company_id = $1 and account_id = $2 and key = $3 and state = 'running' and leased_until = $4::timestamptz`,
    [tx.companyId, name.owner, name.key, name.lease],
  );
}

/**
 * Removes the keys of the transaction's company and mode that follow its test clock, and whose requests came before a time
 * of the company, but for requests under way. Returns how many.
 */
export async function deleteKeysBefore(tx: TenantTx, before: Date): Promise<number> {
  const rows = await tx.query(
    `delete from idempotency_keys
     where company_id = $1 and mode = current_mode() and follows_test_clock and subject_at < $2
       and (state = 'done' or leased_until <= clock_timestamp())
     returning key`,
    [tx.companyId, before],
  );
  return rows.length;
}

/** Removes the oldest of the keys older than two days, over all companies. Returns how many. */
export const deleteOldKeys = deleteOldest('idempotency_keys', 'created_at', '48 hours');
