// The sealed secret that an account shares with an authenticator app. It is opened to check one code, and shown once,
// when it is made.

import { randomBytes } from 'node:crypto';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  type Resealing,
  type ResealingPlace,
  resealInBatches,
  type SealedTable,
} from '../db/reseal-in-batches.ts';
import { lockTotpSecrets, type TotpSecret, updateTotpSeal } from './store.ts';

type Place = Pick<TotpSecret, 'companyId' | 'accountId'>;

/** As long as the hash that codes are made with (RFC 4226 section 4). */
const secretBytes = 20;

const contextOf = ({ companyId, accountId }: Place) => JSON.stringify(['totp', companyId, accountId]);

/** A fresh secret. */
export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** Seals a secret for its account. */
export function sealTotp(keyring: Keyring, place: Place, secret: Uint8Array): Buffer {
  return keyring.seal('second-factor', contextOf(place), secret);
}

/** Opens what `sealTotp` sealed for the same account. */
export function openTotp(keyring: Keyring, row: TotpSecret): Buffer {
  return keyring.open('second-factor', contextOf(row), row.sealed);
}

function sealedSecrets(keyring: Keyring): SealedTable<TotpSecret> {
  return {
    lock: lockTotpSecrets,
    write: updateTotpSeal,
    idOf: ({ accountId }) => accountId,
    reseal: (row) => {
      // Opened in any case: that a row names the current key does not prove that it is whole.
      const sealed = sealTotp(keyring, row, openTotp(keyring, row));
      return keyring.isSealedByCurrent(row.sealed) ? null : { ...row, sealed };
    },
  };
}

/** Goes over the secrets of a company, after a change of the master key. */
export async function resealTotpSecrets(
  deps: { db: Database; keyring: Keyring },
  at: ResealingPlace,
): Promise<Resealing> {
  return await resealInBatches(deps.db, sealedSecrets(deps.keyring), at);
}
