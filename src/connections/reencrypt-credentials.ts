// Re-encrypts credentials with the current master key. Must not: let them reach anything but the ciphertext.

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
    reencryptValue: (row) => {
      // Always decrypt: a row with the ID of the current key may still be damaged.
      const sealed = encryptCredentials(keyring, row, decryptCredentials(keyring, row));
      const isUpToDate = row.keyId === keyring.keyId && keyring.isSealedByCurrent(row.sealed);
      return isUpToDate ? null : { ...row, sealed, keyId: keyring.keyId };
    },
  };
}

export async function reencryptCredentials(
  deps: { db: Database; keyring: Keyring },
  at: ReencryptionOptions,
): Promise<ReencryptionResult> {
  return await reencryptInBatches(deps.db, encryptedCredentials(deps.keyring), at);
}
