// Seals everything that all companies keep sealed anew under the current master key, so that the old one can be
// taken out of the settings. It may run beside the service, and again after it was broken off. Kept answers of
// Idempotency-Keys are left alone: they last two days.

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
  /** What is sealed, for people. */
  name: string;
  reseal(deps: RotationDeps, at: ReencryptionOptions): Promise<ReencryptionResult>;
};

const kinds: readonly EncryptedDataKind[] = [
  { name: 'webhook secrets', reseal: reencryptSecrets },
  { name: 'credentials of processors', reseal: reencryptCredentials },
  { name: 'secrets of authenticator apps', reseal: reencryptTotpSecrets },
];

/** What was found of one kind, over all companies. */
export type ReencryptionSummary = {
  name: string;
  resealed: number;
  upToDate: number;
  unopened: { companyId: string; id: string }[];
};

/** Goes round all companies. A row that no key opens is named, and keeps no other from being sealed anew. */
export async function reencryptAll(
  deps: RotationDeps,
  batchSize: number = defaultBatchSize,
): Promise<{ companies: number; kinds: ReencryptionSummary[] }> {
  const sums = kinds.map(({ name, reseal }) => {
    const sum: ReencryptionSummary = { name, resealed: 0, upToDate: 0, unopened: [] };
    return { reseal, sum };
  });
  let companies = 0;
  for await (const companyId of iterateCompanies(deps.db)) {
    companies += 1;
    for (const { reseal, sum } of sums) {
      const seen = await reseal(deps, { companyId, batchSize });
      sum.resealed += seen.resealed;
      sum.upToDate += seen.upToDate;
      sum.unopened.push(...seen.unopened.map((id) => ({ companyId, id })));
    }
  }
  return { companies, kinds: sums.map(({ sum }) => sum) };
}

/** Whether a keyring opens any of what is sealed; `none` where nothing is. Stops at the first that opens. */
export async function findEncryptedRow(deps: RotationDeps): Promise<'opened' | 'unopened' | 'none'> {
  let isAny = false;
  for await (const companyId of iterateCompanies(deps.db))
    for (const { reseal } of kinds) {
      const seen = await reseal(deps, { companyId, batchSize: 10, isLook: true });
      if (seen.resealed + seen.upToDate > 0) return 'opened';
      if (seen.unopened.length > 0) isAny = true;
    }
  return isAny ? 'unopened' : 'none';
}
