// All SQL of idempotency keys: one exported function per statement. A lease is by the database's clock,
// which all processes share. Must never: give a key to two runs, or a seed anew to a key that stands.

import type { SystemTx, TenantTx } from '../db/database.ts';

/** Whose key it is; the company and the mode are the transaction's. */
export type KeyName = { accountId: string; key: string };

/** What says that a request is the same: `own` is kept, and each of `good` is taken for it. */
export type Fingerprints = { own: Buffer; good: readonly Buffer[] };

/** `lease` is until when, by the database's clock and to the microsecond: the token of who has the key. */
export type ClaimedKey = { seed: Buffer; subjectAt: Date; lease: string };

/** A key of a run that has claimed it. What it writes changes nothing once another run has the lease. */
export type HeldKey = KeyName & { lease: string };

/**
 * Takes a key for a run: one that nobody has used, or one whose run for the same request ended without an
 * answer. Gives the seed and moment that the key stands for, which are those of its first run; null when it
 * is another run's or has its answer.
 */
export async function claimKey(
  tx: TenantTx,
  name: KeyName,
  claim: { fingerprints: Fingerprints; seed: Buffer; subjectAt: Date; leaseSeconds: number },
): Promise<ClaimedKey | null> {
  const [claimed] = await tx.query<ClaimedKey>(
    `insert into idempotency_keys as k
       (company_id, account_id, key, fingerprint, seed, subject_at, leased_until)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7))
     on conflict (company_id, mode, account_id, key) do update set leased_until = excluded.leased_until
       where k.state = 'running' and k.fingerprint = any($8) and k.leased_until <= clock_timestamp()
     returning seed, subject_at as "subjectAt", leased_until::text as lease`,
    [
      tx.companyId,
      name.accountId,
      name.key,
      claim.fingerprints.own,
      claim.seed,
      claim.subjectAt,
      claim.leaseSeconds,
      claim.fingerprints.good,
    ],
  );
  return claimed ?? null;
}

export type IdempotencyRecord = {
  fingerprint: Buffer;
  seed: Buffer;
  state: 'running' | 'done';
  status: number | null;
  answer: Buffer | null;
};

export async function findKey(tx: TenantTx, name: KeyName): Promise<IdempotencyRecord | null> {
  const [record] = await tx.query<IdempotencyRecord>(
    `select fingerprint, seed, state, status, answer from idempotency_keys
     where company_id = $1 and account_id = $2 and key = $3`,
    [tx.companyId, name.accountId, name.key],
  );
  return record ?? null;
}

/** Keeps the answer of a run that still has the key. */
export async function storeResponse(
  tx: TenantTx,
  name: HeldKey,
  response: { status: number; answer: Buffer },
): Promise<void> {
  await tx.query(
    `update idempotency_keys set state = 'done', status = $4, answer = $5
     where company_id = $1 and account_id = $2 and key = $3 and state = 'running' and leased_until = $6::timestamptz`,
    [tx.companyId, name.accountId, name.key, response.status, response.answer, name.lease],
  );
}

/** Gives a key back as if it had never been used: the request was refused and did nothing. */
export async function deleteKey(tx: TenantTx, name: HeldKey): Promise<void> {
  await tx.query(
    `delete from idempotency_keys
     where company_id = $1 and account_id = $2 and key = $3 and state = 'running' and leased_until = $4::timestamptz`,
    [tx.companyId, name.accountId, name.key, name.lease],
  );
}

/** Ends the lease of a run that broke off: the same request may run again at once, on the same seed. */
export async function endLease(tx: TenantTx, name: HeldKey): Promise<void> {
  await tx.query(
    `update idempotency_keys set leased_until = clock_timestamp()
     where company_id = $1 and account_id = $2 and key = $3 and state = 'running' and leased_until = $4::timestamptz`,
    [tx.companyId, name.accountId, name.key, name.lease],
  );
}

/** Removes the oldest keys of all companies, of those older than two days. Returns how many. */
export async function deleteOldKeys(tx: SystemTx, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from idempotency_keys where created_at <= (
       select max(created_at) from (
         select created_at from idempotency_keys where created_at < now() - interval '48 hours'
         order by created_at limit $1) oldest)
     returning created_at`,
    [limit],
  );
  return rows.length;
}
