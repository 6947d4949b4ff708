// The money that moved by Mollie's own books: its payments that were paid, and its refunds that were made. Reads only,
// and leaves out whatever bears no marks of this company and connection.

import { requireSame } from '../compare-marks.ts';
import type { Connection, Movement, MovementPage } from '../processor.ts';
import { type Api, type Page, readPage } from './api.ts';
import {
  fieldsOf,
  isMollieId,
  type Marks,
  marksOf,
  momentOf,
  readOutsideRefund,
  readPayment,
  readRefund,
} from './read.ts';

export type MovementDeps = { api: Api; connection: Connection & { connectionId: string } };

type Span = { companyId: string; from: Date; until: Date };
type Place = { kind: 'payments' | 'refunds'; fromId: string | null };

const dayMs = 24 * 60 * 60 * 1000;

/** The longest that Mollie lets a payment wait (a bank transfer: 12 days and a weekend), with some room. */
const payWithinMs = 16 * dayMs;

function readPlace(cursor: string | null): Place {
  if (cursor === null) return { kind: 'payments', fromId: null };
  const [kind, id = ''] = cursor.split(':');
  if (kind === 'payments' && isMollieId('tr', id)) return { kind, fromId: id };
  if (kind === 'refunds' && (id === '' || isMollieId('re', id))) return { kind, fromId: id || null };
  throw new Error('a cursor that this list did not give');
}

/** Mollie's moments have whole seconds, cut off: one of the second in which a span begins may belong to it. */
function isWithin(moment: Date, fromMs: number, until: Date): boolean {
  return moment.getTime() >= fromMs - (fromMs % 1000) && moment < until;
}

function ownMarks(deps: MovementDeps, span: Span, thing: unknown): Marks | null {
  const marks = marksOf(thing);
  return marks?.company === span.companyId && marks.connection === deps.connection.connectionId
    ? marks
    : null;
}

function chargesOf(deps: MovementDeps, span: Span, thing: unknown): Movement[] {
  if (!ownMarks(deps, span, thing)) return [];
  const { id: reference, marks, mode, status, captured } = readPayment(thing);
  requireSame('a payment of Mollie', { mode: deps.connection.mode }, { mode });
  if (status !== 'paid') return [];
  const paidAt = momentOf(fieldsOf(thing).paidAt);
  if (!paidAt) throw new Error('a payment that was paid at no time');
  return isWithin(paidAt, span.from.getTime(), span.until)
    ? [{ kind: 'charge', key: marks.attempt, reference, ...captured }]
    : [];
}

/** Mollie says when a refund was asked for, and not when its money went: it is listed at the first, once it has gone. */
function refundsOf(deps: MovementDeps, span: Span, thing: unknown): Movement[] {
  const own = ownMarks(deps, span, thing);
  const { status } = fieldsOf(thing);
  if (status !== 'refunded' && status !== 'failed') return [];
  const createdAt = momentOf(fieldsOf(thing).createdAt);
  if (!createdAt) throw new Error('a refund that was made at no time');
  if (!isWithin(createdAt, span.from.getTime(), span.until)) return [];
  if (!own) return outsideRefundOf(deps, span, thing);
  const { id: reference, marks, mode, amountMinor, currency } = readRefund(thing);
  requireSame('a refund of Mollie', { mode: deps.connection.mode }, { mode });
  return [
    {
      kind: status === 'failed' ? 'failed_refund' : 'refund',
      key: marks.refund,
      reference,
      amountMinor,
      currency,
    },
  ];
}

/** A refund that was made in Mollie's dashboard bears no marks: those of its payment say whose money it was. */
function outsideRefundOf(deps: MovementDeps, span: Span, thing: unknown): Movement[] {
  const marks = ownMarks(deps, span, fieldsOf(fieldsOf(thing)._embedded).payment);
  return !marks || marks.isVoid ? [] : readOutsideRefund(marks.attempt, thing);
}

/** Whether a list, newest first, has gone back behind all that can concern the span. */
function isPast(page: Page, from: number): boolean {
  const last = momentOf(fieldsOf(page.things.at(-1)).createdAt);
  return page.nextId === null || (last !== null && last.getTime() < from);
}

/** A page of movements: first the payments, then the refunds, each newest first. */
export async function listMovements(
  deps: MovementDeps,
  request: Span & { cursor: string | null },
  signal: AbortSignal,
): Promise<MovementPage> {
  const { kind, fromId } = readPlace(request.cursor);
  const path = `/v2/${kind}`;
  const list =
    kind === 'payments' ? { path, kind, fromId } : { path, kind, fromId, embed: 'payment' as const };
  const page = await readPage(deps.api, list, signal);
  const from = request.from.getTime();
  if (kind === 'payments') {
    const isLast = isPast(page, from - payWithinMs);
    return {
      movements: page.things.flatMap((thing) => chargesOf(deps, request, thing)),
      nextCursor: isLast ? 'refunds:' : `payments:${page.nextId}`,
    };
  }
  const isLast = isPast(page, from);
  return {
    movements: page.things.flatMap((thing) => refundsOf(deps, request, thing)),
    nextCursor: isLast ? null : `refunds:${page.nextId}`,
  };
}
