// Re-encrypts the stored secrets of all companies with the current master key, so that the old one can be
// removed from the settings. It may run beside the service, and again after an interruption. Stored responses
// of Idempotency-Keys are skipped: they last two days.

import type { Keyring } from './base/keyring.ts';
import { reencryptCredentials } from './connections/reencrypt-credentials.ts';
import type { Database } from './db/database.ts';
import {
  defaultBatchSize,
  type ReencryptionOptions,
  type ReencryptionResult,
} from './db/reencrypt-in-batches.ts';
import { iterateCompanies } from './iterate-companies.ts';
import { reencryptTotpSecrets } from './second-factors/totp-secret.ts';
import { reencryptSecrets } from './webhooks/reencrypt-secrets.ts';

type RotationDeps = { db: Database; keyring: Keyring };

type EncryptedDataKind = {
  /** The kind of secrets, for people. */
  name: string;
  reencryptValue(deps: RotationDeps, at: ReencryptionOptions): Promise<ReencryptionResult>;
};

const kinds: readonly EncryptedDataKind[] = [
  { name: 'webhook secrets', reencryptValue: reencryptSecrets },
  { name: 'credentials of processors', reencryptValue: reencryptCredentials },
  { name: 'secrets of authenticator apps', reencryptValue: reencryptTotpSecrets },
];

/** The result for one kind, over all companies. */
export type ReencryptionSummary = {
  name: string;
  resealed: number;
  upToDate: number;
  unopened: { companyId: string; id: string }[];
};

/** Processes all companies. Reports rows that no key decrypts, and continues with the others. */
export async function reencryptAll(
  deps: RotationDeps,
  batchSize: number = defaultBatchSize,
): Promise<{ companies: number; kinds: ReencryptionSummary[] }> {
  const sums = kinds.map(({ name, reencryptValue }) => {
    const sum: ReencryptionSummary = { name, resealed: 0, upToDate: 0, unopened: [] };
    return { reencryptValue, sum };
  });
  let companies = 0;
  for await (const companyId of iterateCompanies(deps.db)) {
    companies += 1;
    for (const { reencryptValue, sum } of sums) {
      const seen = await reencryptValue(deps, { companyId, batchSize });
      sum.resealed += seen.resealed;
      sum.upToDate += seen.upToDate;
      sum.unopened.push(...seen.unopened.map((id) => ({ companyId, id })));
    }
  }
  return { companies, kinds: sums.map(({ sum }) => sum) };
}

/**
 * Whether a keyring decrypts any stored secret; `none` if there are none. Stops at the first that it
 * decrypts.
 */
export async function findEncryptedRow(deps: RotationDeps): Promise<'opened' | 'unopened' | 'none'> {
  let isAny = false;
  for await (const companyId of iterateCompanies(deps.db))
    for (const { reencryptValue } of kinds) {
      const seen = await reencryptValue(deps, { companyId, batchSize: 10, isDryRun: true });
      if (seen.resealed + seen.upToDate > 0) return 'opened';
      if (seen.unopened.length > 0) isAny = true;
    }
  return isAny ? 'unopened' : 'none';
}
