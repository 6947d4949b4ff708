// Re-encrypts the secrets of a company's webhook endpoints with the current master key. The secrets stay the
// same: merchants notice nothing.

import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  type EncryptedTable,
  type ReencryptionOptions,
  type ReencryptionResult,
  reencryptInBatches,
} from '../db/reencrypt-in-batches.ts';
import { type EncryptedSecrets, lockEncryptedSecrets, updateEncryptedSecrets } from './endpoint-store.ts';
import { decryptSecret, encryptSecret } from './sign.ts';

function sealedSecrets(keyring: Keyring): EncryptedTable<EncryptedSecrets> {
  return {
    lock: lockEncryptedSecrets,
    write: updateEncryptedSecrets,
    idOf: ({ endpointId }) => endpointId,
    reencryptValue: (row) => {
      // Decrypted in any case: that a secret names the current key does not prove that it is intact.
      const reencrypted = (sealed: Buffer) =>
        encryptSecret(keyring, row, decryptSecret(keyring, row, sealed));
      const secret = reencrypted(row.secret);
      const previousSecret = row.previousSecret && reencrypted(row.previousSecret);
      const isUpToDate = [row.secret, row.previousSecret ?? secret].every(keyring.isSealedByCurrent);
      return isUpToDate ? null : { ...row, secret, previousSecret };
    },
  };
}

/** Re-encrypts for all endpoints of a company that were not deleted. */
export async function reencryptSecrets(
  deps: { db: Database; keyring: Keyring },
  at: ReencryptionOptions,
): Promise<ReencryptionResult> {
  return await reencryptInBatches(deps.db, sealedSecrets(deps.keyring), at);
}
