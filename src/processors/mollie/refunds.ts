// Gives money back through Mollie's refunds, at most once for each refund of ours: the payment's refunds are looked
// through before one is made, since Mollie remembers a key for a while only. A refund takes days to be done.

import { toDecimalText } from '../../base/money.ts';
import { requireMatch } from '../check-response.ts';
import type {
  AttemptRequest,
  ExternalRefund,
  ProcessorConnection,
  ProcessorRefundRequest,
  RefundOutcome,
} from '../processor.ts';
import { fetchPage, type MollieApi, throwIfRejected, unexpectedResponse } from './api.ts';
import { isMollieId, type MollieRefund, readExternalRefund, readMetadata, readRefund } from './parse.ts';

export type MollieRefundDeps = { api: MollieApi; connection: ProcessorConnection & { connectionId: string } };

/** Refunds of one payment, at the most, in pages. */
const maxPages = 20;

function toOutcome(refund: MollieRefund): RefundOutcome {
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

/** Reads the answer about a refund. Throws `ContradictionError` for one of anything else. */
function readOwn(
  { connection }: MollieRefundDeps,
  request: ProcessorRefundRequest,
  body: unknown,
): MollieRefund {
  const made = readRefund(body);
  const { marks, mode, paymentId, amountMinor, currency } = made;
  requireMatch(
    'a refund of Mollie',
    {
      mode: connection.mode,
      payment: request.processorReference,
      company: request.companyId,
      connection: connection.connectionId,
      attempt: request.attemptId,
      refund: request.refundId,
      amountMinor: request.amountMinor,
      currency: request.currency,
    },
    {
      ...{ mode, payment: paymentId, company: marks.company, connection: marks.connection },
      ...{ attempt: marks.attempt, refund: marks.refund, amountMinor, currency },
    },
  );
  return made;
}

function pathOf(reference: string): string {
  if (!isMollieId('tr', reference)) throw new Error('a reference that is not of the form of a payment');
  return `/v2/payments/${reference}/refunds`;
}

/** The refunds of a payment, whoever made them. */
async function* refundsOf(
  { api }: MollieRefundDeps,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  let fromId: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const { things: items, nextId } = await fetchPage(api, { path, kind: 'refunds', fromId }, signal);
    yield* items;
    if (nextId === null) return;
    fromId = nextId;
  }
  throw new Error('there are more refunds than can be searched for one');
}

async function findRefund(
  deps: MollieRefundDeps,
  request: ProcessorRefundRequest,
  path: string,
  signal: AbortSignal,
): Promise<RefundOutcome | null> {
  for await (const item of refundsOf(deps, path, signal))
    if (readMetadata(item)?.refund === request.refundId) return toOutcome(readOwn(deps, request, item));
  return null;
}

/** The refunds of an attempt's money that are none of ours: made in Mollie's dashboard, they bear no refund's mark. */
export async function listExternalRefunds(
  deps: MollieRefundDeps,
  { processorReference, attemptId }: AttemptRequest,
  signal: AbortSignal,
): Promise<ExternalRefund[]> {
  if (processorReference === null) return [];
  const found: ExternalRefund[] = [];
  for await (const item of refundsOf(deps, pathOf(processorReference), signal))
    if (!readMetadata(item)?.refund) found.push(...readExternalRefund(attemptId, item));
  return found;
}

function newRefund(deps: MollieRefundDeps, request: ProcessorRefundRequest): Record<string, unknown> {
  const { amountMinor, currency, companyId, attemptId, refundId } = request;
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    // Mollie makes no refund without one. The customer may read it on the bank statement.
    description: `Refund ${refundId}`,
    metadata: {
      company: companyId,
      connection: deps.connection.connectionId,
      attempt: attemptId,
      refund: refundId,
    },
  };
}

/**
 * Gives money back. Throws `RejectedRequestError` where Mollie names a field of ours, and an error where nobody knows, as
 * while Mollie holds a refund for the double of another: it refuses a second one of the same amount for a payment within
 * an hour, whatever its key. Asked later, it makes it.
 */
export async function refund(
  deps: MollieRefundDeps,
  request: ProcessorRefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { processorReference: reference, refundId } = request;
  const path = pathOf(reference);
  const existing = await findRefund(deps, request, path, signal);
  if (existing) return existing;
  const response = await deps.api.post(path, refundId, newRefund(deps, request), signal);
  if (response.status === 201) return toOutcome(readOwn(deps, request, response.body));
  // It may have been made by another request under this key, and be refused for that reason alone.
  const made = await findRefund(deps, request, path, signal);
  if (made) return made;
  throwIfRejected('a refund', response);
  if (response.status === 422) return { kind: 'failed', reference, code: 'refund_refused' };
  throw unexpectedResponse('a refund', response);
}
