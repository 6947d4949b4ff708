// Seals the credentials of a company's connections anew under the current master key. The credentials stay what
// they are, and must reach nothing but the new seal.

import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  type Resealing,
  type ResealingPlace,
  resealInBatches,
  type SealedTable,
} from '../db/reseal-in-batches.ts';
import { openCredentials, sealCredentials } from './open-connection.ts';
import { lockSealedCredentials, type SealedCredentials, updateSealedCredentials } from './store.ts';

function sealedCredentials(keyring: Keyring): SealedTable<SealedCredentials> {
  return {
    lock: lockSealedCredentials,
    write: updateSealedCredentials,
    idOf: ({ connectionId }) => connectionId,
    reseal: (row) => {
      // Opened in any case: that a row names the current key does not prove that it is whole.
      const sealed = sealCredentials(keyring, row, openCredentials(keyring, row));
      const isUpToDate = row.keyId === keyring.keyId && keyring.isSealedByCurrent(row.sealed);
      return isUpToDate ? null : { ...row, sealed, keyId: keyring.keyId };
    },
  };
}

/** Goes over all connections of a company that were not deleted. */
export async function resealCredentials(
  deps: { db: Database; keyring: Keyring },
  at: ResealingPlace,
): Promise<Resealing> {
  return await resealInBatches(deps.db, sealedCredentials(deps.keyring), at);
}
