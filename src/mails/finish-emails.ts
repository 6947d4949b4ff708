// Writes down what became of mails: those of a company that end together, in one statement. A mail's own end is
// written once, whoever else takes it; must never end one that another process has by now.

import { type BatchItemResult, createBatcher } from '../base/batcher.ts';
import type { Clock } from '../base/clock.ts';
import { isRowError } from '../db/connection.ts';
import { type Database, inTenantOrCompany, type TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { type ClaimedEmail, type EmailScope, type FinishedEmail, finishEmails } from './store.ts';

/** A mail with what became of it. */
export type EmailResult = Pick<FinishedEmail, 'state' | 'error'> & { mail: ClaimedEmail };

export type FinishEmail = (scope: EmailScope, ending: EmailResult) => Promise<void>;

/** Bounds one statement. */
const maxBatchSize = 200;

/**
 * Of a mail that failed the merchant is told in the same transaction. One about an endpoint or an
 * account failed on its way to the merchant: that is for the audit trail alone.
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

/** Ends mails, of which those that end at once are written together. Rejects when that can't be written. */
export function createBatchedFinish({ db, clock }: { db: Database; clock: Clock }): FinishEmail {
  const finishBatch = async (
    { companyId, mode }: EmailScope,
    endings: readonly EmailResult[],
  ): Promise<BatchItemResult<void>[]> => {
    const at = clock.now();
    await inTenantOrCompany(db, { companyId, mode }, async (tx) => {
      const ended = await finishEmails(
        tx,
        endings.map(({ mail: { mailId, tries }, state, error }) => ({ mailId, tries, state, error, at })),
      );
      for (const { mail, state } of endings)
        if (state === 'failed' && ended.includes(mail.mailId)) await reportFailure(tx, mail, at);
    });
    return endings.map(() => ({ value: undefined }));
  };
  const batch = createBatcher<EmailResult & { scope: EmailScope }, void>({
    runBatch: async (_, endings) => (endings[0] ? await finishBatch(endings[0].scope, endings) : []),
    maxItems: maxBatchSize,
    mayBeOfOne: isRowError,
  });
  return async (scope, ending) => await batch(`${scope.companyId} ${scope.mode}`, { ...ending, scope });
}
