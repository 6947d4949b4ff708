// Small faults in guards that need no race, planted in the statements sent to the database. The property that tests a
// guard must fail with its fault. src/ must not import this file.

import assert from 'node:assert/strict';
import type { Keyring } from '../../src/base/keyring.ts';
import type { Database, SystemTx, TenantScope, TenantTx } from '../../src/db/database.ts';
import { wrapTransactions } from './crash-points.ts';

/** Removes a planted fault. */
export type RemoveFault = () => void;

/** Asserts that a property fails with a planted fault, and fails by its own assertion. */
export async function assertCaught(plant: () => RemoveFault, check: () => Promise<void>): Promise<void> {
  const unplant = plant();
  try {
    await assert.rejects(check, (error: Error) => {
      assert.match(error.message, /^Property failed/);
      assert.ok(error.cause instanceof assert.AssertionError, String(error.cause));
      return true;
    });
  } finally {
    unplant();
  }
}

type Row = Record<string, unknown>;
type SendQuery = (text: string, values: readonly unknown[]) => Promise<Row[]>;
/** Runs a statement in its place. `query` sends one unchanged. */
type QueryInterceptor = (
  query: SendQuery,
  text: string,
  values: readonly unknown[],
  scope: TenantScope | string,
) => Promise<Row[]>;

/** Passes the statements of tenant transactions through an interceptor. */
function tapTenants(db: Database, tap: QueryInterceptor): RemoveFault {
  return wrapTransactions(
    db,
    async (run, scope, work) =>
      await run(scope, async (tx) => {
        const send: SendQuery = async (text, values) => await tx.query(text, values);
        const query = async (text: string, values: readonly unknown[] = []) =>
          await tap(send, text, values, scope);
        return await work({ ...tx, query: query as TenantTx['query'] });
      }),
  );
}

/** The same for system transactions. */
function tapSystem(
  db: Database,
  tap: (query: SendQuery, text: string, values: readonly unknown[]) => Promise<Row[]>,
) {
  const { inSystem } = db;
  Object.assign(db, {
    inSystem: async (work: (tx: SystemTx) => Promise<unknown>) =>
      await inSystem(async (tx) => {
        const send: SendQuery = async (text, values) => await tx.query(text, values);
        const query = async (text: string, values: readonly unknown[] = []) => await tap(send, text, values);
        return await work({ query: query as SystemTx['query'] });
      }),
  });
  return () => void Object.assign(db, { inSystem });
}

const pauseWindowMs = 30 * 60 * 1000;

/** A login that a pause rejects also counts as a failure. */
export function countRefusedLogins(db: Database): RemoveFault {
  return tapSystem(db, async (query, text, values) => {
    const rows = await query(text, values);
    if (!text.startsWith('select failed_at') || rows.length < 10) return rows;
    const [account, client, since] = values as [string, string, Date];
    const now = new Date(since.getTime() + pauseWindowMs);
    await query('insert into login_failures (account_digest, client_digest, failed_at) values ($1, $2, $3)', [
      account,
      client,
      now,
    ]);
    return rows;
  });
}

/** Moves the number of failures that cause a pause. */
export function shiftPause(db: Database, by: number): RemoveFault {
  return tapSystem(db, async (query, text, values) => {
    if (!text.startsWith('select failed_at')) return await query(text, values);
    const limit = Number(values[3]);
    const rows = await query(text, [...values.slice(0, 3), limit + by]);
    return rows.length < limit + by ? rows.slice(0, limit - 1) : [...rows, ...rows].slice(0, limit);
  });
}

/** An endpoint appears to have failed for `byMs` longer. */
export function shiftFailingSince(db: Database, byMs: number): RemoveFault {
  return tapTenants(db, async (query, text, values) => {
    const rows = await query(text, values);
    if (!/^update webhook_endpoints set failing_since = coalesce/.test(text)) return rows;
    return rows.map((row) => ({
      ...row,
      failingSince: new Date((row.failingSince as Date).getTime() - byMs),
    }));
  });
}

/** A successful delivery doesn't end the period of failures. */
export function forgetSuccesses(db: Database): RemoveFault {
  return tapTenants(db, async (query, text, values) =>
    /^update webhook_endpoints set failing_since = null/.test(text) ? [] : await query(text, values),
  );
}

/** Raises the number of failures that open a processor's circuit. */
export function raiseFailureThreshold(db: Database, by: number): RemoveFault {
  return tapTenants(db, async (query, text, values) => {
    if (!/^update connections\s+set failures = failures \+ 1/.test(text)) return await query(text, values);
    return await query(text, [...values.slice(0, 2), Number(values[2]) + by, ...values.slice(3)]);
  });
}

/** An attempt without a response is recorded as if the processor had responded. */
export function countTimeoutAsSuccess(db: Database): RemoveFault {
  let isSilent = false;
  return tapTenants(db, async (query, text, values) => {
    if (text.startsWith('with attempt_moves')) isSilent = String(values[1]).includes('"stateTo":"unknown"');
    if (!isSilent || !/^update connections\s+set failures = failures \+ 1/.test(text))
      return await query(text, values);
    await query(
      'update connections set failures = 0, open_until = null where company_id = $1 and connection_id = $2',
      [...values.slice(0, 2)],
    );
    return [{ failures: 0, openUntil: null }];
  });
}

/** A response of a processor doesn't reset its failures. */
export function keepFailures(db: Database): RemoveFault {
  return tapTenants(db, async (query, text, values) =>
    /^update connections set failures = 0/.test(text) ? [] : await query(text, values),
  );
}

/** The comparison includes the records of all connections of a processor. */
export function compareAnyConnection(db: Database): RemoveFault {
  const condition = 'and a.connection_id is not distinct from $5';
  return tapTenants(
    db,
    async (query, text, values) =>
      await query(text.replace(condition, "and ($5::text is null or $5 <> '')"), values),
  );
}

/** Stores the idempotency keys of live mode among those of test mode. */
export function mixModesOfKeys(db: Database): RemoveFault {
  return tapTenants(db, async (query, text, values, scope) => {
    const isOfKeys = /^(insert into|update|delete from|select [\s\S]* from) idempotency_keys/.test(text);
    if (!isOfKeys || typeof scope === 'string') return await query(text, values);
    const enter = async (mode: string) =>
      void (await query(`select set_config('paylink.mode', $1, true)`, [mode]));
    await enter('test');
    const rows = await query(text, values);
    await enter(scope.mode);
    return rows;
  });
}

/** The fingerprint of a request doesn't include the mode. */
export function forgetModeOfRequests(keyring: Keyring): RemoveFault {
  const { mac, acceptedMacs } = keyring;
  const blind = (text: string) => (text.startsWith('request:') ? text.replace(/,"live",/, ',"test",') : text);
  Object.assign(keyring, {
    mac: (purpose: 'digest', text: string) => mac(purpose, blind(text)),
    acceptedMacs: (purpose: 'digest', text: string) => acceptedMacs(purpose, blind(text)),
  });
  return () => void Object.assign(keyring, { mac, acceptedMacs });
}
