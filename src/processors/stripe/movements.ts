// The money that moved on an account by Stripe's own books: first the charges of a span, then the refunds. A
// merchant may use the account for other things, too; only what bears our notes of this connection is told.

import type { Movement, MovementPage, Processor } from '../processor.ts';
import { type Account, ask, openApi } from './client.ts';
import {
  type Fields,
  readCurrency,
  readMarks,
  readMinor,
  readOptionalId,
  readPage,
  readText,
} from './read.ts';

type Kind = Movement['kind'];
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

function isOurs({ connection }: Account, companyId: string, item: Fields): boolean {
  const marks = readMarks(item);
  return marks.companyId === companyId && marks.connectionId === connection.connectionId;
}

/** A charge or a refund that has moved money; nothing for one that has not, or not yet. */
function readMovement(kind: Kind, item: Fields): Movement[] {
  if (item.status !== 'succeeded') return [];
  const { attemptId, refundId } = readMarks(item);
  const key = kind === 'charge' ? attemptId : refundId;
  // What the merchant gave back at Stripe's own pages has no key of ours.
  if (key === null) return [];
  const currency = readCurrency(item);
  if (kind === 'refund')
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
    limit: 100,
    ...(place.after === null ? {} : { starting_after: place.after }),
  };
  const api = openApi(account, signal);
  const call = place.kind === 'charge' ? api.charges.list(params) : api.refunds.list(params);
  const { items, hasMore } = readPage((await ask(call, signal)).body);
  const ours = items.filter((item) => isOurs(account, request.companyId, item));
  return {
    movements: ours.flatMap((item) => readMovement(place.kind, item)),
    nextCursor: nextCursor(place, items, hasMore),
  };
}
