// What the use cases of payments, refunds and attempts need from the service.

import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';

export type Log = {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
};

export type PayDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  processors: ProcessorRegistry;
  baseUrl: string;
  /** How long a processor may take to respond before the outcome counts as unknown. */
  processorTimeoutMs: number;
  /** Seconds until the first query about an unfinished attempt or refund, instead of the default. */
  firstReconcileSeconds?: number;
  log: Log;
};
