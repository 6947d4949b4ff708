// Gives money back through Mollie's refunds, at most once for each refund of ours: the payment's refunds are looked
// through before one is made, since Mollie remembers a key for a while only. A refund takes days to be done.

import { toDecimalText } from '../../base/money.ts';
import type { Connection, RefundOutcome, RefundRequest } from '../processor.ts';
import { type Api, readPage, unexpected } from './api.ts';
import { isMollieId, marksOf, type Refund, readRefund } from './read.ts';

export type RefundDeps = { api: Api; connection: Connection & { connectionId: string } };

/** Refunds of one payment, at the most, in pages. */
const maxPages = 20;

function toOutcome(refund: Refund): RefundOutcome {
  const { id: reference, amountMinor, currency } = refund;
  switch (refund.status) {
    case 'refunded':
      return { kind: 'succeeded', reference, amountMinor, currency };
    case 'failed':
    case 'canceled':
      return { kind: 'failed', reference, code: `refund_${refund.status}` };
    case 'queued':
    case 'pending':
    case 'processing':
      return { kind: 'processing', reference };
  }
}

function isAbout(request: RefundRequest, thing: unknown): boolean {
  const marks = marksOf(thing);
  return marks?.refund === request.refundId && marks.company === request.companyId;
}

async function findRefund(
  deps: RefundDeps,
  request: RefundRequest,
  path: string,
  signal: AbortSignal,
): Promise<RefundOutcome | null> {
  let fromId: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const { things, nextId } = await readPage(deps.api, { path, kind: 'refunds', fromId }, signal);
    const own = things.find((thing) => isAbout(request, thing));
    if (own) return toOutcome(readRefund(own));
    if (nextId === null) return null;
    fromId = nextId;
  }
  throw new Error('there are more refunds than can be searched for one');
}

function newRefund(deps: RefundDeps, request: RefundRequest): Record<string, unknown> {
  const { amountMinor, currency, companyId, attemptId, refundId } = request;
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    metadata: {
      company: companyId,
      connection: deps.connection.connectionId,
      attempt: attemptId,
      refund: refundId,
    },
  };
}

/**
 * Gives money back. Throws where nobody knows, and also while Mollie holds a refund for the double of another: it
 * refuses a second one of the same amount for a payment within an hour, whatever its key. Asked later, it makes it.
 */
export async function refund(
  deps: RefundDeps,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { processorReference: reference, refundId } = request;
  if (!isMollieId('tr', reference)) throw new Error('a reference that is not of the form of a payment');
  const path = `/v2/payments/${reference}/refunds`;
  const standing = await findRefund(deps, request, path, signal);
  if (standing) return standing;
  const answer = await deps.api.post(path, refundId, newRefund(deps, request), signal);
  if (answer.status === 201) {
    if (!isAbout(request, answer.body)) throw new Error('the answer is about another refund');
    return toOutcome(readRefund(answer.body));
  }
  // It may have been made by another request under this key, and be refused for that reason alone.
  const made = await findRefund(deps, request, path, signal);
  if (made) return made;
  if (answer.status === 422) return { kind: 'failed', reference, code: 'refund_refused' };
  throw unexpected('a refund', answer);
}
