// Recovery codes, for a login without a lost second factor. They are shown once, valid once each, and stored as digests.

import { createHash } from 'node:crypto';
import { randomBase32 } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';
import { deleteRecoveryCodes, insertRecoveryCodes } from './store.ts';

const count = 10;

/** 80 random bits in four groups that people can type. */
function newCode(): string {
  return Array.from({ length: 4 }, () => randomBase32(4)).join('-');
}

/** The stored digest of a code. Ignores case, spaces and hyphens. */
export function digestRecoveryCode(accountId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(`${accountId}:${plain}`).digest();
}

/** Replaces the codes by ten new ones, and returns them. */
export async function replaceRecoveryCodes(tx: TenantTx, accountId: string, at: Date): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  const digests = codes.map((code) => digestRecoveryCode(accountId, code));
  await deleteRecoveryCodes(tx, accountId);
  await insertRecoveryCodes(tx, { accountId, digests, createdAt: at });
  return codes;
}
