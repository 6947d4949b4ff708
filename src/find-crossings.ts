// Searches old events for actions on live payments that credentials of test mode may have made: before the
// mode became part of tenant isolation, a test key could make them. Must not: write.

import { type ApiKey, listApiKeys } from './api-keys/store.ts';
import type { Database, TenantTx } from './db/database.ts';
import { statement, t } from './db/statements.ts';
import { listAccountActions, listSessionOpenings } from './events/list-account-actions.ts';
import type { StoredEvent } from './events/list-events.ts';
import { listCodes } from './events/payment-codes.ts';
import { iterateCompanies } from './iterate-companies.ts';

/** `test_key`: only a test key can have made it. `unknown`: the old events do not show the credentials. */
export type CrossingVerdict = 'test_key' | 'unknown';

export type Crossing = {
  companyId: string;
  at: Date;
  type: string;
  eventId: string;
  actor: string;
  PaymentLinkCode: string | null;
  verdict: CrossingVerdict;
};

/** The migration since which the database refuses such actions. */
const fixedBy = 'mode_isolation';
const pageSize = 1_000;
/** A browser session lasts 12 hours at most, and one with a token an hour. */
const browserLifeMs = 12 * 60 * 60 * 1000;
const tokenLifeMs = 60 * 60 * 1000;

async function listAllKeys(tx: TenantTx): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = await listApiKeys(tx, { before: keys.at(-1)?.keyId ?? null, limit: pageSize, mode: null });
    keys.push(...page);
    if (page.length < pageSize) return keys;
  }
}

function wasActive({ mode, createdAt, expiresAt, revokedAt }: ApiKey, at: Date): boolean {
  const isOver = (end: Date | null) => end !== null && end <= at;
  return mode === 'live' && createdAt <= at && !isOver(expiresAt) && !isOver(revokedAt);
}

/**
 * Pure. A call by cookie may have named live mode, so only an action that no cookie can have made is certain.
 */
export function classifyAction(
  action: Pick<StoredEvent, 'actor' | 'at'>,
  keys: readonly ApiKey[],
  sessions: readonly StoredEvent[],
): CrossingVerdict {
  if (keys.some((key) => wasActive(key, action.at))) return 'unknown';
  const isOpen = (by: string, lifeMs: number) =>
    sessions.some(
      ({ actor, at, data }) =>
        actor === action.actor &&
        data.by === by &&
        at <= action.at &&
        action.at.getTime() - at.getTime() <= lifeMs,
    );
  return isOpen('token', tokenLifeMs) && !isOpen('browser', browserLifeMs) ? 'test_key' : 'unknown';
}

async function findOfCompany(db: Database, companyId: string, until: Date): Promise<Crossing[]> {
  const find = async (tx: TenantTx) => {
    const actions = await listAccountActions(tx, until);
    if (actions.length === 0) return [];
    const [keys, sessions] = [await listAllKeys(tx), await listSessionOpenings(tx)];
    const codes = await listCodes(
      tx,
      actions.flatMap(({ paymentId }) => paymentId ?? []),
    );
    return actions.map((action) => ({
      companyId,
      at: action.at,
      type: action.type,
      eventId: action.eventId,
      actor: action.actor,
      PaymentLinkCode: codes.get(action.paymentId ?? '') ?? null,
      verdict: classifyAction(action, keys, sessions),
    }));
  };
  return await db.inTenant({ companyId, mode: 'live' }, find, { isSnapshot: true });
}

const findCrossingsSql = statement({ at: t.timestamptz })`
  select applied_at as at from schema_migrations where name = $1`;

/**
 * People's actions on live payments before the fix, of all companies, with their verdicts; and the time since
 * when none is possible.
 */
export async function findCrossings(db: Database): Promise<{ crossings: Crossing[]; fixedAt: Date }> {
  const crossings: Crossing[] = [];
  const fixes = new Map<string | null, Date>();
  let fixedAt = new Date(0);
  for (const cell of db.cells()) {
    const [fix] = await cell.asOwner.query(findCrossingsSql, [fixedBy]);
    if (!fix) throw new Error(`the migration ${fixedBy} is not applied`);
    if (fix.at > fixedAt) fixedAt = fix.at;
    fixes.set(cell.cell, fix.at);
  }
  for await (const companyId of iterateCompanies(db)) {
    // It has lived only in cells that are at least as old as this one, or has moved here after the fix.
    const { cell } = await db.cellOf(companyId);
    crossings.push(...(await findOfCompany(db, companyId, fixes.get(cell) ?? fixedAt)));
  }
  return { crossings, fixedAt };
}
