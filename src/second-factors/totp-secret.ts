// Encrypts and decrypts the secrets of authenticator apps.

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

/** As long as the output of the hash function (RFC 4226 section 4). */
const secretBytes = 20;

const contextOf = ({ companyId, accountId }: TotpScope) => JSON.stringify(['totp', companyId, accountId]);

export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

export function encryptTotpSecret(keyring: Keyring, scope: TotpScope, secret: Uint8Array): Buffer {
  return keyring.seal('second-factor', contextOf(scope), secret);
}

/** Decrypts what `encryptTotpSecret` encrypted for the same account. */
export function decryptTotpSecret(keyring: Keyring, row: TotpSecret): Buffer {
  return keyring.open('second-factor', contextOf(row), row.sealed);
}

function encryptedSecrets(keyring: Keyring): EncryptedTable<TotpSecret> {
  return {
    lock: lockTotpSecrets,
    write: updateEncryptedTotp,
    idOf: ({ accountId }) => accountId,
    reencryptValue: (row) => {
      // Always decrypts, to prove that the row is intact.
      const sealed = encryptTotpSecret(keyring, row, decryptTotpSecret(keyring, row));
      return keyring.isSealedByCurrent(row.sealed) ? null : { ...row, sealed };
    },
  };
}

/** Re-encrypts the secrets of a company, after a rotation of the master key. */
export async function reencryptTotpSecrets(
  deps: { db: Database; keyring: Keyring },
  at: ReencryptionOptions,
): Promise<ReencryptionResult> {
  return await reencryptInBatches(deps.db, encryptedSecrets(deps.keyring), at);
}
