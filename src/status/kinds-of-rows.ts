// The kinds of due work whose items are rows of a table, by the names under which the worker runs them.

import { dueBankLines, dueTransfers } from '../bank/due-bank-rows.ts';
import { dueEmails } from '../mails/store.ts';
import { dueAttempts } from '../payments/attempt-store.ts';
import { dueRefunds } from '../payments/refund-store.ts';
import { dueDeliveries } from '../webhooks/delivery-store.ts';
import type { CountDue } from '../work/due-rows.ts';
import type { RetriedRows } from '../work/retried-rows.ts';

/** Those whose rows are dead after months without an end, and then wait for a person. */
export const retriedKinds: Readonly<Record<string, RetriedRows>> = {
  'reconcile-attempt': dueAttempts,
  'reconcile-refund': dueRefunds,
  'match-bank-line': dueBankLines,
  'settle-transfer': dueTransfers,
};

/** All of them. */
export const kindsOfRows: Readonly<Record<string, { countDue: CountDue }>> = {
  ...retriedKinds,
  webhooks: dueDeliveries,
  emails: dueEmails,
};
