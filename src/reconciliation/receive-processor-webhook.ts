// Processes a processor webhook. It is never evidence: its content is compared with our data, and then the processor is
// queried. Forged, foreign, contradicting and repeated webhooks change nothing, but are counted and logged.

import { type RefreshDeps, refreshAttempt } from '../attempts/refresh-attempt.ts';
import { errors } from '../base/errors.ts';
import type { CachedConnection } from '../connections/connection-cache.ts';
import {
  countProcessorWebhook,
  hasProcessorWebhook,
  insertProcessorWebhook,
  type ProcessorWebhookVerdict,
} from '../connections/store.ts';
import type { TenantScope } from '../db/database.ts';
import { findRefund, type Refund } from '../payments/refund-store.ts';
import { type Attempt, findAttempt } from '../payments/store.ts';
import type {
  ProcessorKind,
  ProcessorWebhook,
  ProcessorWebhookRequest,
  ProcessorWebhookSubject,
} from '../processors/processor.ts';
import { isWebhookProof } from '../processors/webhook-proof.ts';
import { type RefundDeps, submitRefund } from '../refunds/refund-payment.ts';
import { importExternalRefunds } from './import-external-refund.ts';
import type { ProcessorWebhookGuard } from './processor-webhook-guard.ts';

export type ProcessorWebhookDeps = RefreshDeps & RefundDeps & { guard: ProcessorWebhookGuard };

/** The connection that a webhook names, its sender, and its content. */
export type IncomingWebhook = {
  processor: string;
  connectionId: string;
  /** The sender: the client's address. */
  client: string;
  /** The proof in its URL, if any. */
  proof: { attemptId: string; text: string } | null;
} & Pick<ProcessorWebhookRequest, 'headers' | 'body'>;

/** The result of a webhook; `why` is for the log. */
export type WebhookResult = {
  verdict: ProcessorWebhookVerdict | 'deferred';
  companyId: string;
  why?: string;
};

type WebhookTarget = { kind: ProcessorKind; known: CachedConnection };

/** The connection that a URL names. A wrong one and another company's give the same response: `not_found`. */
async function findTarget(
  { guard, processors }: ProcessorWebhookDeps,
  incoming: IncomingWebhook,
): Promise<WebhookTarget> {
  const { processor, connectionId, client } = incoming;
  const kind = processors.kinds.find(({ name }) => name === processor);
  if (!kind?.readNotice) throw errors.notFound();
  const known = await guard.connections.find(connectionId, client);
  if (known?.stored.processor !== processor) throw errors.notFound();
  return { kind, known };
}

type MatchedRecords = { attempt: Attempt | null; refund: Refund | null };

/** The records that a webhook is about: the attempt, and the refund if it is about one. */
async function findMatchedRecords(
  deps: ProcessorWebhookDeps,
  scope: TenantScope,
  subject: ProcessorWebhookSubject,
): Promise<MatchedRecords> {
  const { attemptId, refundId } = subject;
  return await deps.db.inTenant(scope, async (tx) => {
    const refund = refundId === null ? null : await findRefund(tx, refundId);
    const key = refund?.attemptId ?? attemptId;
    return { attempt: key === null ? null : await findAttempt(tx, key), refund };
  });
}

/** How a webhook contradicts our records; null if it fits. */
function findMismatch(
  subject: ProcessorWebhookSubject,
  connectionId: string,
  { attempt, refund }: MatchedRecords,
): string | null {
  if (!attempt || (subject.refundId !== null && !refund)) return 'unknown attempt or refund';
  if (subject.attemptId !== null && subject.attemptId !== attempt.attemptId) return 'attempt';
  const isForeign = subject.connectionId !== null && subject.connectionId !== connectionId;
  if (isForeign || attempt.connectionId !== connectionId) return 'account';
  const { amountMinor, currency } = refund ?? attempt;
  if (subject.currency !== null && subject.currency !== currency) return 'currency';
  return subject.amountMinor !== null && subject.amountMinor !== amountMinor ? 'amount' : null;
}

/**
 * Queries the processor about the subject of its webhook, and records the outcome. Throws if the processor does not
 * respond about an attempt.
 */
async function queryProcessor(
  deps: ProcessorWebhookDeps,
  scope: TenantScope,
  actor: string,
  matched: MatchedRecords,
): Promise<void> {
  const { attempt, refund } = matched;
  // The worker queries about a refund until the outcome is known, but not about an ended attempt: nothing would repeat a
  // failed query.
  if (refund)
    await submitRefund(deps, { companyId: scope.companyId, refund, actor, isReportedByProcessor: true });
  else if (attempt) {
    const { attemptId } = attempt;
    const { hasResponse } = await refreshAttempt(deps, { ...scope, attemptId, actor });
    if (!hasResponse) throw new Error(`no response about ${attemptId}, the subject of a webhook`);
  }
}

/** The attempt that the URL of a webhook proves it is about; null without proof. */
function verifiedAttemptId(
  deps: ProcessorWebhookDeps,
  { stored }: CachedConnection,
  { proof }: IncomingWebhook,
): string | null {
  if (proof === null) return null;
  const { companyId, connectionId } = stored;
  const { attemptId, text } = proof;
  return isWebhookProof(deps.keyring, { companyId, connectionId, attemptId }, text) ? attemptId : null;
}

/**
 * Verifies and parses a webhook. Counts nothing before, and runs no statement for a forged webhook of a client over its
 * limit. For others it reads the connection again, in case its secret was changed.
 */
async function readWebhook(
  deps: ProcessorWebhookDeps,
  { kind, known }: WebhookTarget,
  incoming: IncomingWebhook,
): Promise<ProcessorWebhook> {
  const { guard } = deps;
  const { headers, body, client, connectionId } = incoming;
  const now = deps.clock.now();
  const request: ProcessorWebhookRequest = {
    ...{ headers, body, now },
    provenAttemptId: verifiedAttemptId(deps, known, incoming),
    mayAsk: () => guard.mayCallProcessor(connectionId, client),
  };
  const readAs = async ({ connection }: CachedConnection) => {
    if (!kind.readNotice) throw errors.notFound();
    return await kind.readNotice(connection, request, AbortSignal.timeout(deps.processorTimeoutMs));
  };
  const webhook = await readAs(known);
  if (webhook.kind !== 'forged' || guard.isOverLimit(connectionId, client)) return webhook;
  if (known.readAtMs >= now.getTime()) return webhook;
  const renewed = await guard.connections.reread(known);
  if (!renewed) throw errors.notFound();
  return renewed.connection === known.connection ? webhook : await readAs(renewed);
}

type NewWebhook = Extract<ProcessorWebhook, { kind: 'news' | 'irrelevant' }>;

async function processWebhook(
  deps: ProcessorWebhookDeps,
  { kind, known }: WebhookTarget,
  webhook: NewWebhook,
): Promise<{ verdict: ProcessorWebhookVerdict; noticeId?: string; why?: string }> {
  const { stored } = known;
  const { companyId, connectionId } = stored;
  const { noticeId } = webhook;
  if (webhook.kind === 'irrelevant') return { verdict: 'irrelevant' };
  const isRepeat = await deps.db.inTenant(
    stored,
    async (tx) => await hasProcessorWebhook(tx, connectionId, noticeId),
  );
  if (isRepeat) return { verdict: 'replayed' };
  const matches = [];
  for (const subject of webhook.news) {
    const matched = await findMatchedRecords(deps, stored, subject);
    const why = findMismatch(subject, connectionId, matched);
    if (why) return { verdict: 'mismatched', noticeId, why };
    matches.push(matched);
  }
  for (const matched of matches)
    await queryProcessor(deps, { companyId, mode: stored.mode }, `webhook:${kind.name}`, matched);
  // A report about captured money may concern a refund from the processor's dashboard, or its failure.
  const capturedIds = matches.flatMap(({ attempt }) =>
    attempt?.state === 'succeeded' ? [attempt.attemptId] : [],
  );
  for (const attemptId of new Set(capturedIds))
    await importExternalRefunds(deps, { companyId, mode: stored.mode, attemptId });
  return { verdict: 'accepted', noticeId };
}

/**
 * Processes a webhook. It counts as processed only once the processor was queried, so a webhook that a crash
 * interrupted is processed when it is sent again. Throws `not_found` for an unknown URL, and an error if the processor
 * does not respond: the webhook is to be sent again.
 */
export async function receiveProcessorWebhook(
  anyDeps: ProcessorWebhookDeps,
  incoming: IncomingWebhook,
): Promise<WebhookResult> {
  const target = await findTarget(anyDeps, incoming);
  const { companyId, connectionId } = target.known.stored;
  const webhook = await readWebhook(anyDeps, target, incoming);
  if (webhook.kind === 'forged') return { verdict: 'forged', companyId, why: webhook.why };
  if (webhook.kind === 'deferred') return { verdict: 'deferred', companyId };
  // From here on the webhook is verified, possibly by the processor's own response.
  const deps = { ...anyDeps, db: anyDeps.guard.verifiedDb };
  const at = deps.clock.now();
  const { verdict, noticeId, why } = await processWebhook(deps, target, webhook);
  await deps.db.inTenant(target.known.stored, async (tx) => {
    if (noticeId !== undefined) await insertProcessorWebhook(tx, { connectionId, noticeId, at });
    await countProcessorWebhook(tx, { connectionId, verdict, at });
  });
  return { verdict, companyId, ...(why ? { why } : {}) };
}

/** Counts a forged webhook. Separate, so that a flood can be cut off before. */
export async function countForgedWebhook(
  deps: Pick<ProcessorWebhookDeps, 'guard' | 'clock'>,
  forged: { companyId: string; connectionId: string },
): Promise<void> {
  const { companyId, connectionId } = forged;
  const at = deps.clock.now();
  await deps.guard.unverifiedDb.inBothModes(
    companyId,
    async (tx) => await countProcessorWebhook(tx, { connectionId, verdict: 'forged', at }),
  );
}
