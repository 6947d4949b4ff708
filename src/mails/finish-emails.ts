// Records the results of emails: those of a company that end together, in one statement. Each result is written
// once. Must not end an email that another process has claimed since.

import { type BatchItemResult, createBatcher } from '../base/batcher.ts';
import type { Clock } from '../base/clock.ts';
import { isRowError } from '../db/connection.ts';
import { type Database, inTenantOrCompany, type TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { type ClaimedEmail, type EmailScope, type FinishedEmail, finishEmails } from './store.ts';

/** An email with its result. */
export type EmailResult = Pick<FinishedEmail, 'state' | 'error'> & { mail: ClaimedEmail };

export type FinishEmail = (scope: EmailScope, ending: EmailResult) => Promise<void>;

/** Bounds one statement. */
const maxBatchSize = 200;

/**
 * Notifies the merchant of a failed email in the same transaction. An email about an endpoint or an account was
 * addressed to the merchant itself: its failure is only in the audit log.
 */
async function reportFailure(tx: TenantTx, mail: ClaimedEmail, at: Date): Promise<void> {
  await appendEvent(tx, {
    type: 'mail.failed',
    isPublic: mail.paymentId !== null,
    ...(mail.paymentId === null ? {} : { paymentId: mail.paymentId }),
    actor: 'system',
    data: { kind: mail.kind, ...(mail.refundId ? { refundId: mail.refundId } : {}) },
    at,
  });
}

/** Ends emails, with those that end at the same time written in a batch. Rejects if that can't be written. */
export function createBatchedFinish({ db, clock }: { db: Database; clock: Clock }): FinishEmail {
  const finishBatch = async (
    { companyId, mode }: EmailScope,
    endings: readonly EmailResult[],
  ): Promise<BatchItemResult<void>[]> => {
    const at = clock.now();
    const work = async (tx: TenantTx) => {
      const ended = await finishEmails(
        tx,
        endings.map(({ mail: { mailId, tries }, state, error }) => ({ mailId, tries, state, error, at })),
      );
      for (const { mail, state } of endings) {
        if (!ended.includes(mail.mailId)) continue;
        tx.note({ kind: 'email', about: mail.kind, result: state });
        if (state === 'failed') await reportFailure(tx, mail, at);
      }
    };
    const isSingle = endings.every(({ state }) => state !== 'failed');
    await inTenantOrCompany(db, { companyId, mode }, work, { isBatch: true, isSingle });
    return endings.map(() => ({ value: undefined }));
  };
  const batch = createBatcher<EmailResult & { scope: EmailScope }, void>({
    runBatch: async (_, endings) => (endings[0] ? await finishBatch(endings[0].scope, endings) : []),
    maxItems: maxBatchSize,
    mayBeOfOne: isRowError,
  });
  return async (scope, ending) => await batch(`${scope.companyId} ${scope.mode}`, { ...ending, scope });
}
