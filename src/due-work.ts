// Everything that is due later, as kinds of work for one worker (src/work/): attempts and refunds without an outcome,
// bank data, webhook deliveries, emails, the words by which payments are found, and the recurring jobs.

import { reconcileAttempt } from './attempts/reconcile-attempt.ts';
import { dueBankLines, dueTransfers } from './bank/due-bank-rows.ts';
import { matchBankLine } from './bank/match-lines.ts';
import { refreshTransfer } from './bank/refresh-transfer.ts';
import type { AppDeps } from './deps.ts';
import { createEmailWork, type EmailWorkDeps } from './mails/email-work.ts';
import { dueAttempts } from './payments/attempt-store.ts';
import { dueRefunds } from './payments/refund-store.ts';
import { reconcileRefund } from './refunds/refund-payment.ts';
import { listScheduledJobs } from './schedule.ts';
import { createWordWork } from './search/fill-words.ts';
import { createDeliveryWork, type DeliveryWorkDeps } from './webhooks/delivery-work.ts';
import { type CalendarDeps, createCalendar } from './work/calendar.ts';
import { createRowWork, type RowWorkDeps } from './work/row-work.ts';
import type { WorkKind } from './work/work-kind.ts';

export type DueWorkDeps = AppDeps & EmailWorkDeps & DeliveryWorkDeps & RowWorkDeps & CalendarDeps;

// They wait for processors rather than for the database, so many run at once. A failing connection gets one query at a
// time, once a second; the first that is answered lets all others follow at once.
const processorLimits = { perNew: 2, perLane: 20, total: 40, failingTotal: 20 };
// Two bookings may concern one transfer, so those of a company are matched one after another.
const bankLimits = { perNew: 1, perLane: 1, total: 4, failingTotal: 2 };

/** All kinds of due work of the service. */
export function listKindsOfWork(deps: DueWorkDeps): WorkKind<never>[] {
  const kinds = [
    createRowWork(deps, {
      name: 'reconcile-attempt',
      rows: dueAttempts,
      limits: processorLimits,
      run: async ({ companyId, id }) => await reconcileAttempt(deps, { companyId, attemptId: id }),
    }),
    createRowWork(deps, {
      name: 'reconcile-refund',
      rows: dueRefunds,
      limits: processorLimits,
      run: async ({ companyId, id }) => await reconcileRefund(deps, { companyId, refundId: id }),
    }),
    createRowWork(deps, {
      name: 'match-bank-line',
      rows: dueBankLines,
      limits: bankLimits,
      run: async ({ id, ...scope }) => await matchBankLine(deps, scope, id),
    }),
    createRowWork(deps, {
      name: 'settle-transfer',
      rows: dueTransfers,
      limits: bankLimits,
      run: async ({ id, ...scope }) => await refreshTransfer(deps, { ...scope, attemptId: id }),
    }),
    createDeliveryWork(deps),
    createEmailWork(deps),
    createWordWork(deps),
    createCalendar(deps, listScheduledJobs(deps)),
  ];
  return kinds as WorkKind<never>[];
}
