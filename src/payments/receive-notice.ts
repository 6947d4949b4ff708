// A webhook of a processor. It is a bell, never evidence: what it claims is compared with what we have, and
// then the processor itself is asked. Forged, foreign, contradicting and repeated ones change nothing; each is
// counted and logged.

import { errors } from '../base/errors.ts';
import { companyOfConnectionId } from '../base/ids.ts';
import { toConnection } from '../connections/open-connection.ts';
import {
  countNotice,
  findConnection,
  hasNotice,
  insertNotice,
  type StoredConnection,
  type Verdict,
} from '../connections/store.ts';
import type { NoticeNews, NoticeRequest, ProcessorKind } from '../processors/processor.ts';
import { type RefundDeps, settleRefund } from './refund-payment.ts';
import { findRefund, type Refund } from './refund-store.ts';
import { type SettleDeps, settleAttempt } from './settle-attempt.ts';
import { type Attempt, findAttempt } from './store.ts';

export type NoticeDeps = SettleDeps & RefundDeps;

/** Who a webhook says that it is for, and what came. */
export type Incoming = { processor: string; connectionId: string } & Pick<NoticeRequest, 'headers' | 'body'>;

/** What a webhook came to; `why` is for the log. */
export type Received = { verdict: Verdict; companyId: string; why?: string };

/** The connection that an address names. A wrong one and a foreign one answer alike: `not_found`. */
async function findAddressee(
  deps: NoticeDeps,
  incoming: Incoming,
): Promise<{ kind: ProcessorKind; stored: StoredConnection }> {
  const { processor, connectionId } = incoming;
  const companyId = companyOfConnectionId(connectionId);
  const kind = deps.processors.kinds.find(({ name }) => name === processor);
  if (!companyId || !kind?.readNotice) throw errors.notFound();
  const stored = await deps.db.inTenant(companyId, async (tx) => await findConnection(tx, connectionId));
  if (!stored?.sealed || stored.processor !== processor) throw errors.notFound();
  return { kind, stored };
}

type Ours = { attempt: Attempt | null; refund: Refund | null };

/** What we have of what a webhook speaks of: the attempt, and the refund when it is about one. */
async function findOurs(deps: NoticeDeps, companyId: string, news: NoticeNews): Promise<Ours> {
  const { attemptId, refundId } = news;
  return await deps.db.inTenant(companyId, async (tx) => {
    const refund = refundId === null ? null : await findRefund(tx, refundId);
    const key = refund?.attemptId ?? attemptId;
    return { attempt: key === null ? null : await findAttempt(tx, key), refund };
  });
}

/** In what a webhook contradicts what we have; null when it fits. */
function findMismatch(news: NoticeNews, connectionId: string, { attempt, refund }: Ours): string | null {
  if (!attempt || (news.refundId !== null && !refund)) return 'it is about nothing of ours';
  if (news.attemptId !== null && news.attemptId !== attempt.attemptId) return 'attempt';
  const isForeign = news.connectionId !== null && news.connectionId !== connectionId;
  if (isForeign || attempt.connectionId !== connectionId) return 'account';
  const { amountMinor, currency } = refund ?? attempt;
  if (news.currency !== null && news.currency !== currency) return 'currency';
  return news.amountMinor !== null && news.amountMinor !== amountMinor ? 'amount' : null;
}

/** Asks the processor about what its webhook is about, and records its word. Throws when it gives none of an attempt. */
async function askAbout(deps: NoticeDeps, companyId: string, actor: string, ours: Ours): Promise<void> {
  const { attempt, refund } = ours;
  // A refund has a job that asks until it knows. An attempt that has ended has none: a lost bell would be missed.
  if (refund) await settleRefund(deps, { companyId, refund, actor });
  else if (attempt) {
    const { attemptId } = attempt;
    const { isAnswered } = await settleAttempt(deps, { companyId, attemptId, actor });
    if (!isAnswered) throw new Error(`no answer about ${attemptId}, of which a webhook told`);
  }
}

async function judge(
  deps: NoticeDeps,
  { kind, stored }: { kind: ProcessorKind; stored: StoredConnection },
  request: NoticeRequest,
): Promise<{ verdict: Verdict; noticeId?: string; why?: string }> {
  const { companyId, connectionId } = stored;
  if (!kind.readNotice) throw errors.notFound();
  const signal = AbortSignal.timeout(deps.askTimeoutMs);
  const notice = await kind.readNotice(toConnection(deps.keyring, stored), request, signal);
  if (notice.kind === 'forged') return { verdict: 'forged', why: notice.why };
  const { noticeId } = notice;
  if (notice.kind === 'irrelevant') return { verdict: 'irrelevant' };
  const isRepeat = await deps.db.inTenant(
    companyId,
    async (tx) => await hasNotice(tx, connectionId, noticeId),
  );
  if (isRepeat) return { verdict: 'replayed' };
  const known = [];
  for (const news of notice.news) {
    const ours = await findOurs(deps, companyId, news);
    const why = findMismatch(news, connectionId, ours);
    if (why) return { verdict: 'mismatched', noticeId, why };
    known.push(ours);
  }
  for (const ours of known) await askAbout(deps, companyId, `webhook:${kind.name}`, ours);
  return { verdict: 'accepted', noticeId };
}

/**
 * Deals with a webhook. It counts as dealt with only when the processor has been asked, so one that a crash
 * cut short is dealt with when it is sent again. Throws `not_found` for an address that is nobody's, and
 * an error when the processor gives no answer: it is to be sent again.
 */
export async function receiveNotice(deps: NoticeDeps, incoming: Incoming): Promise<Received> {
  const addressee = await findAddressee(deps, incoming);
  const { companyId, connectionId } = addressee.stored;
  const at = deps.clock.now();
  const { headers, body } = incoming;
  const { verdict, noticeId, why } = await judge(deps, addressee, { headers, body, now: at });
  if (verdict !== 'forged')
    await deps.db.inTenant(companyId, async (tx) => {
      if (noticeId !== undefined) await insertNotice(tx, { connectionId, noticeId, at });
      await countNotice(tx, { connectionId, verdict, at });
    });
  return { verdict, companyId, ...(why ? { why } : {}) };
}

/** Counts a webhook that is not the processor's. Apart, so that a flood of them can be cut off before. */
export async function countForged(
  deps: Pick<NoticeDeps, 'db' | 'clock'>,
  forged: { companyId: string; connectionId: string },
): Promise<void> {
  const { companyId, connectionId } = forged;
  const at = deps.clock.now();
  await deps.db.inTenant(
    companyId,
    async (tx) => await countNotice(tx, { connectionId, verdict: 'forged', at }),
  );
}
