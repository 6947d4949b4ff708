// The commands of the fake PayPal, and its page size, shared by the fake and its rig.

import type { Capture } from './records.ts';

/** The commands of the fake; omitted settings stay unchanged. */
export type PaypalCommand = {
  /** Where the webhooks of the first app go. */
  webhookUrl?: string;
  /** The results of the next captures, in order: an issue, or a status. */
  nextCaptures?: ({ issue: string } | Pick<Capture, 'status' | 'responseCode' | 'amount'>)[];
  /** The result of captures without an entry in `nextCaptures`. Null: a full capture. */
  everyCapture?: Pick<Capture, 'status' | 'amount'> | null;
  /** Whether an order can be changed. */
  isPatchable?: boolean;
  /** Whether refunds wait until `settle`. */
  areRefundsPending?: boolean;
  settle?: true;
  /** Revokes all tokens. */
  dropTokens?: true;
  /** The lag of the list of transactions. */
  listLagMs?: number;
  /** Creates a foreign charge of this amount, in minor units, on the first app's account. */
  createForeignCharge?: number;
  /** The key of an attempt to capture, whatever the status of its order. */
  forceCapture?: string;
  /** Refunds an attempt at PayPal. */
  createExternalRefund?: { attemptId: string; amountMinor: number };
  /** The key of an attempt whose external refunds the customer's bank returns. */
  failExternalRefunds?: string;
};

/** Few, so that tests have several pages. */
export const listPageSize = 3;
