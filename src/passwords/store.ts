// The SQL of failed logins and of known clients. Both tables store digests, and must not store an address.

import type { SystemTx } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';

/** Identifies the failures that count together. */
export type FailureCounter = { accountDigest: string; clientDigest: string };

/** Serializes attempts of one counter until the transaction ends. */
export async function lockCounter(tx: SystemTx, counter: FailureCounter): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked', [
    `${counter.accountDigest}:${counter.clientDigest}`,
  ]);
}

const listLoginFailuresSql = statement({ failedAt: t.timestamptz })`
  select failed_at as "failedAt" from login_failures
  where account_digest = $1 and client_digest = $2 and failed_at > $3 order by failed_at desc limit $4`;

/** Newest first. */
export async function listLoginFailures(
  tx: SystemTx,
  counter: FailureCounter,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const { accountDigest, clientDigest } = counter;
  const rows = await tx.query(listLoginFailuresSql, [accountDigest, clientDigest, since, limit]);
  return rows.map((row) => row.failedAt);
}

export async function insertLoginFailure(tx: SystemTx, counter: FailureCounter, at: Date): Promise<void> {
  await tx.query(
    'insert into login_failures (account_digest, client_digest, failed_at) values ($1, $2, $3)',
    [counter.accountDigest, counter.clientDigest, at],
  );
}

export async function deleteLoginFailures(tx: SystemTx, counter: FailureCounter): Promise<void> {
  await tx.query('delete from login_failures where account_digest = $1 and client_digest = $2', [
    counter.accountDigest,
    counter.clientDigest,
  ]);
}

/** Failures of the same time are interchangeable. */
export async function deleteLoginFailure(tx: SystemTx, counter: FailureCounter, at: Date): Promise<void> {
  await tx.query(
    `with one as materialized (
       select ctid from login_failures
       where account_digest = $1 and client_digest = $2 and failed_at = $3 limit 1 for update skip locked)
     delete from login_failures f using one where f.ctid = one.ctid`,
    [counter.accountDigest, counter.clientDigest, at],
  );
}

export async function purgeLoginFailures(tx: SystemTx, before: Date): Promise<number> {
  const rows = await tx.query('delete from login_failures where failed_at < $1 returning failed_at', [
    before,
  ]);
  return rows.length;
}

const listKnownClientsSql = statement({ clientDigest: t.text })`
  select client_digest as "clientDigest" from known_clients
  where account_digest = any($1) and client_digest = any($2) and seen_at > $3`;

/** Those of the given clients that have logged in to an account since a time, by their digests. */
export async function listKnownClients(
  tx: SystemTx,
  look: { accountDigests: readonly string[]; clientDigests: readonly string[]; since: Date },
): Promise<string[]> {
  const rows = await tx.query(listKnownClientsSql, [look.accountDigests, look.clientDigests, look.since]);
  return rows.map(({ clientDigest }) => clientDigest);
}

/** Stores clients that have logged in. One that was seen within a day is not written again. */
export async function insertKnownClients(
  tx: SystemTx,
  known: { accountDigest: string; clientDigests: readonly string[]; at: Date },
): Promise<void> {
  await tx.query(
    `insert into known_clients as k (account_digest, client_digest, seen_at)
     select $1, client, $3 from unnest($2::text[]) client order by client
     on conflict (account_digest, client_digest) do update set seen_at = excluded.seen_at
     where k.seen_at < excluded.seen_at - interval '1 day'`,
    [known.accountDigest, known.clientDigests, known.at],
  );
}

export async function purgeKnownClients(tx: SystemTx, before: Date): Promise<number> {
  const rows = await tx.query('delete from known_clients where seen_at < $1 returning seen_at', [before]);
  return rows.length;
}
