// The dependencies of logins.

import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import type { PasswordPool } from './password-pool.ts';

export type LoginDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  baseUrl: string;
  passwords: PasswordPool;
};
