// The sealed secret that an account shares with an authenticator app. It is opened to check one code, and shown once,
// when it is made.

import { randomBytes } from 'node:crypto';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  type EncryptedTable,
  type ReencryptionOptions,
  type ReencryptionResult,
  reencryptInBatches,
} from '../db/reencrypt-in-batches.ts';
import { lockTotpSecrets, type TotpSecret, updateEncryptedTotp } from './store.ts';

type TotpScope = Pick<TotpSecret, 'companyId' | 'accountId'>;

/** As long as the hash that codes are made with (RFC 4226 section 4). */
const secretBytes = 20;

const contextOf = ({ companyId, accountId }: TotpScope) => JSON.stringify(['totp', companyId, accountId]);

/** A fresh secret. */
export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** Seals a secret for its account. */
export function encryptTotpSecret(keyring: Keyring, scope: TotpScope, secret: Uint8Array): Buffer {
  return keyring.seal('second-factor', contextOf(scope), secret);
}

/** Opens what `encryptTotpSecret` sealed for the same account. */
export function decryptTotpSecret(keyring: Keyring, row: TotpSecret): Buffer {
  return keyring.open('second-factor', contextOf(row), row.sealed);
}

function sealedSecrets(keyring: Keyring): EncryptedTable<TotpSecret> {
  return {
    lock: lockTotpSecrets,
    write: updateEncryptedTotp,
    idOf: ({ accountId }) => accountId,
    reseal: (row) => {
      // Opened in any case: that a row names the current key does not prove that it is whole.
      const sealed = encryptTotpSecret(keyring, row, decryptTotpSecret(keyring, row));
      return keyring.isSealedByCurrent(row.sealed) ? null : { ...row, sealed };
    },
  };
}

/** Goes over the secrets of a company, after a change of the master key. */
export async function reencryptTotpSecrets(
  deps: { db: Database; keyring: Keyring },
  at: ReencryptionOptions,
): Promise<ReencryptionResult> {
  return await reencryptInBatches(deps.db, sealedSecrets(deps.keyring), at);
}
