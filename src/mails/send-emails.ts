// Sends one email of the outbox outside of any transaction, and records the result. If a process dies in between, the
// next one sends it again: each email is sent at least once, each time with the same Message-ID.

import type { Logger } from 'pino';
import { type Clock, movedTimeOf, realTimeOf } from '../base/clock.ts';
import { type Database, inTenantOrCompany } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { localeOfPayment } from '../receipts/compose-receipt.ts';
import { readReceipt } from '../receipts/read-receipt.ts';
import type { ReceiptRenderer } from '../receipts/receipt-renderer.ts';
import { composeEmail } from './compose-email.ts';
import { createBatchedFinish, type FinishEmail } from './finish-emails.ts';
import type { EmailContextDeps, EmailTask } from './read-email-context.ts';
import { deleteOldEmails, postponeEmail } from './store.ts';
import { EmailRejectedError, type EmailTransport } from './transport.ts';
import {
  type EmailAttachment,
  type EmailMessage,
  InvalidAddressError,
  writeMessage,
} from './write-message.ts';

export type DeliverEmailDeps = EmailContextDeps & {
  db: Database;
  clock: Clock;
  log: Logger;
  mailFrom: string;
  transport: EmailTransport;
  receiptRenderer: ReceiptRenderer;
};

/** Delivers one email. Reports whether deliveries are fast, and how to record the result. Never rejects. */
export type DeliverEmail = (task: EmailTask) => Promise<{ isFast: boolean; record(): Promise<void> }>;

/** If a server accepts emails faster than this, the worker claims many at once. */
const fastDeliveryMs = 1_000;
const firstDelayMs = 60_000;
const maxDelayMs = 6 * 60 * 60_000;
const giveUpAfterMs = 48 * 60 * 60_000;

/** In test mode, emails to this address fail for good, so that merchants can test what follows. */
const undeliverableAddress = 'undeliverable@example.com';

/** Delay after a failed attempt: 1, 3, 9, 27, 81 minutes, then every 4 to 6 hours. */
export function retryDelayMs(attempts: number): number {
  return Math.min(firstDelayMs * 3 ** (attempts - 1), maxDelayMs);
}

/**
 * Whether an email is out of date: a payment request for a payment that can't be paid any more, or a link that is no
 * longer valid.
 */
function isObsolete({ mail, context }: EmailTask, now: Date): boolean {
  if (context && 'link' in context) return context.link === null || context.link.expiresAt <= now;
  if (!context || !('payment' in context) || (mail.kind !== 'link' && mail.kind !== 'reminder')) return false;
  return context.payment.state !== 'open' || context.payment.expiresAt <= now;
}

/** The receipt, if the company attaches it. Without it the email goes anyway: it has the link. */
async function attachReceipt(
  deps: DeliverEmailDeps,
  { companyId, mail, context }: EmailTask,
): Promise<EmailAttachment | null> {
  if (mail.kind !== 'receipt' && mail.kind !== 'refund') return null;
  if (!context || !('payment' in context) || !context.company.attachesReceipts) return null;
  const { company, payment } = context;
  try {
    const locale = localeOfPayment(payment);
    const receipt = await readReceipt(deps, { company, payment, locale, isDrawn: true });
    return receipt && { fileName: receipt.fileName, pdf: await deps.receiptRenderer.render(receipt) };
  } catch (err) {
    deps.log.warn({ err, companyId, mailId: mail.mailId }, 'a receipt could not be attached to its email');
    return null;
  }
}

async function renderMessage(
  deps: DeliverEmailDeps,
  { mail, context, ...scope }: EmailTask,
): Promise<EmailMessage> {
  if (!context) throw new Error('the subject of the email no longer exists');
  const content = composeEmail(mail, context, deps.baseUrl);
  const attachment = await attachReceipt(deps, { mail, context, ...scope });
  return writeMessage(deps, mail, { context, content, attachment, at: realTimeOf(deps.clock) });
}

/** A server's reply may name the recipient: it is stored with the email, and the log gets only a code. */
async function recordFailure(
  deps: DeliverEmailDeps,
  finishEmail: FinishEmail,
  task: EmailTask,
  fault: unknown,
): Promise<void> {
  const { companyId, mail } = task;
  const now = deps.clock.now();
  const reason = (fault instanceof Error ? fault.message : String(fault)).slice(0, 500);
  const { code, responseCode } = fault as { code?: string; responseCode?: number };
  const isFinal = fault instanceof EmailRejectedError || fault instanceof InvalidAddressError;
  const logFields = {
    companyId,
    mailId: mail.mailId,
    kind: mail.kind,
    tries: mail.tries,
    code,
    status: responseCode,
  };
  if (isFinal || now.getTime() - mail.createdAt.getTime() >= giveUpAfterMs) {
    await finishEmail(task, { mail, state: 'failed', error: reason });
    deps.log.warn(logFields, 'an email could not be delivered and is not retried');
    return;
  }
  const claim = { id: mail.mailId, token: mail.tries };
  const to = { afterMs: retryDelayMs(mail.tries), at: movedTimeOf(deps.clock), error: reason };
  await inTenantOrCompany(deps.db, task, async (tx) => {
    const isPostponed = await postponeEmail(tx, claim, to);
    if (isPostponed) tx.note({ kind: 'email', about: mail.kind, result: 'retried' });
  });
  deps.log.warn(logFields, 'an email could not be delivered and will be retried');
}

/** Sends an email, and returns how to record the result. */
export function createDeliver(deps: DeliverEmailDeps): DeliverEmail {
  const finishEmail = createBatchedFinish(deps);
  return async (task) => {
    const { companyId, mail } = task;
    if (isObsolete(task, deps.clock.now())) {
      const record = async () => await finishEmail(task, { mail, state: 'dropped', error: null });
      return { isFast: true, record };
    }
    try {
      const message = await renderMessage(deps, task);
      if (task.mode === 'test' && mail.recipient === undeliverableAddress)
        throw new EmailRejectedError('emails to this address fail in test mode');
      // Excludes the time to compose: on a busy CPU it may be long, and the server has no part in it.
      const startedAt = performance.now();
      await deps.transport.deliver(mail.mailId, message);
      const isFast = performance.now() - startedAt < fastDeliveryMs;
      const record = async () => {
        await finishEmail(task, { mail, state: 'sent', error: null });
        deps.log.debug({ companyId, mailId: mail.mailId, kind: mail.kind }, 'email sent');
      };
      return { isFast, record };
    } catch (fault) {
      return { isFast: false, record: async () => await recordFailure(deps, finishEmail, task, fault) };
    }
  };
}

/** Small enough that a statement ends long before the database's limit. */
const defaultBatchSize = 5_000;

/** Deletes emails that ended a month ago. Returns how many. */
export async function purgeOldEmails(db: Database, batchSize: number = defaultBatchSize): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldEmails);
}
