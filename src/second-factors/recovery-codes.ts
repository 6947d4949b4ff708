// Recovery codes: what gets somebody in who has lost the second factor. They are shown once, good once each, and kept
// as digests. Must never: exist for an account that has no second factor.

import { createHash } from 'node:crypto';
import { randomBase32 } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';
import { deleteRecoveryCodes, insertRecoveryCodes } from './store.ts';

const count = 10;

/** 80 random bits in four groups, which people can type. */
function newCode(): string {
  return Array.from({ length: 4 }, () => randomBase32(4)).join('-');
}

/** What is stored of a code; case, spaces and hyphens do not matter. */
export function digestRecoveryCode(accountId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(`${accountId}:${plain}`).digest();
}

/** Makes ten codes in place of those that were there, and shows them. */
export async function replaceRecoveryCodes(tx: TenantTx, accountId: string, at: Date): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  const digests = codes.map((code) => digestRecoveryCode(accountId, code));
  await deleteRecoveryCodes(tx, accountId);
  await insertRecoveryCodes(tx, { accountId, digests, createdAt: at });
  return codes;
}
