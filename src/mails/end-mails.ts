// Writes down what became of mails: those of a company that end together, in one statement. A mail's own end is
// written once, whoever else takes it; must never end one that another process has by now.

import type { Clock } from '../base/clock.ts';
import { createGather, type Outcome } from '../base/gather.ts';
import { isFaultOfRow } from '../db/connection.ts';
import { type Database, inModeOrCompany, type TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { type ClaimedMail, type EndedMail, endMails, type MailScope } from './store.ts';

/** A mail with what became of it. */
export type Ending = Pick<EndedMail, 'state' | 'error'> & { mail: ClaimedMail };

export type EndMail = (scope: MailScope, ending: Ending) => Promise<void>;

/** Bounds one statement. */
const mostAtOnce = 200;

/**
 * Of a mail that failed the merchant is told in the same transaction. One about an endpoint or an
 * account failed on its way to the merchant: that is for the audit trail alone.
 */
async function tellOfFailure(tx: TenantTx, mail: ClaimedMail, at: Date): Promise<void> {
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
export function gatherEnds({ db, clock }: { db: Database; clock: Clock }): EndMail {
  const endTogether = async (
    { companyId, mode }: MailScope,
    endings: readonly Ending[],
  ): Promise<Outcome<void>[]> => {
    const at = clock.now();
    await inModeOrCompany(db, { companyId, mode }, async (tx) => {
      const ended = await endMails(
        tx,
        endings.map(({ mail: { mailId, tries }, state, error }) => ({ mailId, tries, state, error, at })),
      );
      for (const { mail, state } of endings)
        if (state === 'failed' && ended.includes(mail.mailId)) await tellOfFailure(tx, mail, at);
    });
    return endings.map(() => ({ value: undefined }));
  };
  const gather = createGather<Ending & { scope: MailScope }, void>({
    runBatch: async (_, endings) => (endings[0] ? await endTogether(endings[0].scope, endings) : []),
    maxItems: mostAtOnce,
    mayBeOfOne: isFaultOfRow,
  });
  return async (scope, ending) => await gather(`${scope.companyId} ${scope.mode}`, { ...ending, scope });
}
