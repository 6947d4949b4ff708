// What only the fake PayPal understands of its control plane, and what a test has to know of its size. Types and
// numbers only: the fake and its rig share them.

import type { Capture } from './books.ts';

/** What only this fake understands; what is left out stays as it is. */
export type PaypalCommand = {
  /** Where the webhooks of the first app go. */
  webhookUrl?: string;
  /** What becomes of the next captures, in their order: refused with an issue, or made in that state. */
  nextCaptures?: ({ issue: string } | Pick<Capture, 'status' | 'responseCode' | 'amount'>)[];
  /** What becomes of every capture that `nextCaptures` says nothing of. Null: it is made in whole. */
  everyCapture?: Pick<Capture, 'status' | 'amount'> | null;
  /** Whether an order can be changed. */
  isPatchable?: boolean;
  /** Whether refunds wait until `settle`. */
  areRefundsPending?: boolean;
  settle?: true;
  /** All tokens that were given end at once. */
  dropTokens?: true;
  /** How far the list of transactions is behind. */
  listLagMs?: number;
  /** Somebody pays this much (minor units) to the first app's account without us. */
  chargeElsewhere?: number;
  /** The key of an attempt whose money is taken, whatever holds of its order. */
  chargeAnyway?: string;
  /** Somebody gives money of an attempt back at PayPal. */
  refundElsewhere?: { attemptId: string; amountMinor: number };
  /** Such a refund of an attempt's money comes back from the customer's bank. */
  failElsewhere?: string;
};

/** So short that a few transactions make several pages. */
export const listPageSize = 3;
