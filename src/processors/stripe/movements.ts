// The money that moved on an account by Stripe's own books: first the charges of a span, then the refunds. A
// merchant may use the account for other things, too; only what bears our notes of this connection is told.

import { askInShorterPages } from '../call-api.ts';
import { requireSame } from '../compare-marks.ts';
import type { Movement, MovementPage, Processor } from '../processor.ts';
import { type Account, ask, openApi } from './client.ts';
import { outsideKindOf } from './outside-refunds.ts';
import {
  type Fields,
  type Marks,
  pageSizes,
  readCurrency,
  readFields,
  readFlag,
  readMarks,
  readMinor,
  readOptionalId,
  readPage,
  readText,
} from './read.ts';

type Kind = 'charge' | 'refund';
type Place = { kind: Kind; after: string | null };

/** A cursor is the list that is being read and the last entry that was seen of it. */
function readCursor(cursor: string | null): Place {
  if (cursor === null) return { kind: 'charge', after: null };
  const [, kind, after] = /^(charge|refund):(\w*)$/.exec(cursor) ?? [];
  if (!kind) throw new Error('stripe: a cursor of another list');
  return { kind: kind as Kind, after: after || null };
}

function nextCursor({ kind }: Place, items: readonly Fields[], hasMore: boolean): string | null {
  const last = items.at(-1);
  if (hasMore && last) return `${kind}:${readText(last, 'id')}`;
  return kind === 'charge' ? 'refund:' : null;
}

/** The notes on a charge or a refund. A refund that was made in Stripe's dashboard has none: those of its charge count. */
function marksOf(kind: Kind, item: Fields): Marks {
  const marks = readMarks(item);
  if (kind === 'charge' || marks.refundId !== null || typeof item.charge !== 'object') return marks;
  return item.charge === null ? marks : { ...readMarks(readFields(item.charge, 'charge')), refundId: null };
}

function isOurs({ connection }: Account, companyId: string, item: Fields, marks: Marks): boolean {
  const isMarked = marks.companyId === companyId && marks.connectionId === connection.connectionId;
  // Stripe's refunds have no mode.
  if (isMarked && item.object === 'charge')
    requireSame(
      'a charge of Stripe',
      { live: connection.mode === 'live' },
      { live: readFlag(item, 'livemode') },
    );
  return isMarked;
}

/** Null for what has moved no money, or not yet. */
function kindOf(place: Kind, item: Fields, refundId: string | null): Movement['kind'] | null {
  const { status } = item;
  if (place === 'refund' && refundId === null) return outsideKindOf(item);
  if (place === 'refund' && status === 'failed') return 'failed_refund';
  return status === 'succeeded' ? place : null;
}

/** A charge or a refund that has moved money; nothing for one that has not, or not yet. */
function readMovement(place: Kind, item: Fields): Movement[] {
  const { attemptId, refundId } = marksOf(place, item);
  const kind = kindOf(place, item, refundId);
  const key = kind === 'refund' || kind === 'failed_refund' ? refundId : attemptId;
  if (kind === null || key === null) return [];
  const currency = readCurrency(item);
  if (kind !== 'charge')
    return [{ kind, key, reference: readText(item, 'id'), amountMinor: readMinor(item, 'amount'), currency }];
  const reference = readOptionalId(item, 'payment_intent') ?? readText(item, 'id');
  return [{ kind, key, reference, amountMinor: readMinor(item, 'amount_captured'), currency }];
}

/** A page of the charges and refunds that were made from `from` to before `until`. */
export async function list(
  account: Account,
  request: Parameters<Processor['list']>[0],
  signal: AbortSignal,
): Promise<MovementPage> {
  const place = readCursor(request.cursor);
  const params = {
    // Stripe counts in whole seconds, ours begin and end anywhere in one.
    created: {
      gte: Math.floor(request.from.getTime() / 1000),
      lt: Math.ceil(request.until.getTime() / 1000),
    },
    ...(place.after === null ? {} : { starting_after: place.after }),
  };
  const api = openApi(account, signal);
  const { items, hasMore } = await askInShorterPages(pageSizes, async (limit) => {
    const page = { ...params, limit };
    const call =
      place.kind === 'charge'
        ? api.charges.list(page)
        : api.refunds.list({ ...page, expand: ['data.charge'] });
    return readPage((await ask(call, signal)).body);
  });
  const ours = items.filter((item) => isOurs(account, request.companyId, item, marksOf(place.kind, item)));
  return {
    movements: ours.flatMap((item) => readMovement(place.kind, item)),
    nextCursor: nextCursor(place, items, hasMore),
  };
}
