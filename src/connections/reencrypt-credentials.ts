// Seals the credentials of a company's connections anew under the current master key. The credentials stay what
// they are, and must reach nothing but the new seal.

import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  type EncryptedTable,
  type ReencryptionOptions,
  type ReencryptionResult,
  reencryptInBatches,
} from '../db/reencrypt-in-batches.ts';
import { decryptCredentials, encryptCredentials } from './open-connection.ts';
import { type EncryptedCredentials, lockEncryptedCredentials, updateEncryptedCredentials } from './store.ts';

function encryptedCredentials(keyring: Keyring): EncryptedTable<EncryptedCredentials> {
  return {
    lock: lockEncryptedCredentials,
    write: updateEncryptedCredentials,
    idOf: ({ connectionId }) => connectionId,
    reseal: (row) => {
      // Opened in any case: that a row names the current key does not prove that it is whole.
      const sealed = encryptCredentials(keyring, row, decryptCredentials(keyring, row));
      const isUpToDate = row.keyId === keyring.keyId && keyring.isSealedByCurrent(row.sealed);
      return isUpToDate ? null : { ...row, sealed, keyId: keyring.keyId };
    },
  };
}

/** Goes over all connections of a company that were not deleted. */
export async function reencryptCredentials(
  deps: { db: Database; keyring: Keyring },
  at: ReencryptionOptions,
): Promise<ReencryptionResult> {
  return await reencryptInBatches(deps.db, encryptedCredentials(deps.keyring), at);
}
