// Seals the secrets of a company's webhook endpoints anew under the current master key. The secrets stay what
// they are: merchants notice nothing.

import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  type Resealing,
  type ResealingPlace,
  resealInBatches,
  type SealedTable,
} from '../db/reseal-in-batches.ts';
import { lockSealedSecrets, type SealedSecrets, updateSealedSecrets } from './endpoint-store.ts';
import { openSecret, sealSecret } from './sign.ts';

function sealedSecrets(keyring: Keyring): SealedTable<SealedSecrets> {
  return {
    lock: lockSealedSecrets,
    write: updateSealedSecrets,
    idOf: ({ endpointId }) => endpointId,
    reseal: (row) => {
      // Opened in any case: that a secret names the current key does not prove that it is whole.
      const anew = (sealed: Buffer) => sealSecret(keyring, row, openSecret(keyring, row, sealed));
      const secret = anew(row.secret);
      const previousSecret = row.previousSecret && anew(row.previousSecret);
      const isUpToDate = [row.secret, row.previousSecret ?? secret].every(keyring.isSealedByCurrent);
      return isUpToDate ? null : { ...row, secret, previousSecret };
    },
  };
}

/** Goes over all endpoints of a company that were not deleted. */
export async function resealSecrets(
  deps: { db: Database; keyring: Keyring },
  at: ResealingPlace,
): Promise<Resealing> {
  return await resealInBatches(deps.db, sealedSecrets(deps.keyring), at);
}
