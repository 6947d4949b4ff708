// What a fault in the ledger is: how it is planted, and what the comparison must report.

import type { Json } from './client.ts';

/** A paid payment with a refund of 5.00 that succeeded. */
export type Target = { paymentId: string; attemptId: string; refundId: string };

export type Query = (text: string, ...values: unknown[]) => Promise<Json[]>;

export type Planted = {
  what: string;
  plant: (query: Query, target: Target) => Promise<unknown>;
  /** Exactly these faults must be found. */
  faults: string[];
  says: RegExp;
};
