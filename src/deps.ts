// The dependencies of every part of the service.

import type { Logger } from 'pino';
import type { Clock } from './base/clock.ts';
import type { Keyring } from './base/keyring.ts';
import type { Tracing } from './base/spans.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Metrics } from './metrics/open-metrics.ts';
import type { PasswordPool } from './passwords/password-pool.ts';
import type { ProcessorRegistry } from './processors/processor.ts';
import type { ReceiptRenderer } from './receipts/receipt-renderer.ts';

export type AppDeps = {
  config: Config;
  log: Logger;
  clock: Clock;
  db: Database;
  tracing: Tracing;
  keyring: Keyring;
  passwords: PasswordPool;
  receiptRenderer: ReceiptRenderer;
  processors: ProcessorRegistry;
  /** Null without METRICS_PORT. */
  metrics: Metrics | null;
  webhooksAllowLoopback: boolean;
  baseUrl: string;
  processorTimeoutMs: number;
  firstReconcileSeconds?: number;
  /** How long a request with an Idempotency-Key may take before it counts as aborted. */
  leaseSeconds?: number;
};
