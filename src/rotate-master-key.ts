// Seals everything that all companies keep sealed anew under the current master key, so that the old one can be
// taken out of the settings. It may run beside the service, and again after it was broken off. Kept answers of
// Idempotency-Keys are left alone: they last two days.

import type { Keyring } from './base/keyring.ts';
import { resealCredentials } from './connections/reseal-credentials.ts';
import type { Database } from './db/database.ts';
import { type Resealing, type ResealingPlace, usualBatch } from './db/reseal-in-batches.ts';
import { everyCompany } from './every-company.ts';
import { resealTotpSecrets } from './second-factors/totp-secret.ts';
import { resealSecrets } from './webhooks/reseal-secrets.ts';

type RotationDeps = { db: Database; keyring: Keyring };

type Kind = {
  /** What is sealed, for people. */
  name: string;
  reseal(deps: RotationDeps, at: ResealingPlace): Promise<Resealing>;
};

const kinds: readonly Kind[] = [
  { name: 'webhook secrets', reseal: resealSecrets },
  { name: 'credentials of processors', reseal: resealCredentials },
  { name: 'secrets of authenticator apps', reseal: resealTotpSecrets },
];

/** What was found of one kind, over all companies. */
export type Resealed = {
  name: string;
  resealed: number;
  upToDate: number;
  unopened: { companyId: string; id: string }[];
};

/** Goes round all companies. A row that no key opens is named, and keeps no other from being sealed anew. */
export async function resealEverything(
  deps: RotationDeps,
  batchSize: number = usualBatch,
): Promise<{ companies: number; kinds: Resealed[] }> {
  const sums = kinds.map(({ name, reseal }) => {
    const sum: Resealed = { name, resealed: 0, upToDate: 0, unopened: [] };
    return { reseal, sum };
  });
  let companies = 0;
  for await (const companyId of everyCompany(deps.db)) {
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
export async function findSealedRow(deps: RotationDeps): Promise<'opened' | 'unopened' | 'none'> {
  let isAny = false;
  for await (const companyId of everyCompany(deps.db))
    for (const { reseal } of kinds) {
      const seen = await reseal(deps, { companyId, batchSize: 10, isLook: true });
      if (seen.resealed + seen.upToDate > 0) return 'opened';
      if (seen.unopened.length > 0) isAny = true;
    }
  return isAny ? 'unopened' : 'none';
}
