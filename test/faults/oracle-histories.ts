// The oracle's check of histories: the events of each payment, attempt and refund must be one path along the status
// graph, from the initial to the current status. It reads only the database.

import type { Database } from '../../src/db/database.ts';
import { attemptGraph, paymentGraph, refundGraph, type TransitionEdge } from '../../src/payments/states.ts';

type AnyGraph = Readonly<Record<string, Readonly<Partial<Record<string, TransitionEdge>>>>>;
type EventRow = { type: string; data: { from?: string; to?: string; version?: number; refundId?: string } };
type Subject = { name: string; state: string; initial: string; graph: AnyGraph; events: EventRow[] };

/**
 * Checks that the transitions are one walk from the initial to the current status. Events of the same millisecond have
 * no order, so transitions are counted, not replayed: each status but the first and the last is left as often as it is
 * reached. A missing or duplicate event breaks that.
 */
function checkWalk(subject: Subject): string[] {
  const { name, state, initial, graph, events } = subject;
  const faults: string[] = [];
  const balance = new Map<string, number>([[initial, 1]]);
  const count = (key: string, by: number) => balance.set(key, (balance.get(key) ?? 0) + by);
  count(state, -1);
  for (const { type, data } of events) {
    const { from = '', to = '' } = data;
    const edge = graph[from]?.[to];
    if (!edge) faults.push(`${name} moved from ${from} to ${to}, which the graph does not have`);
    else if (edge.event !== type)
      faults.push(`${name} moved from ${from} to ${to} and recorded it as ${type}`);
    count(from, -1);
    count(to, 1);
  }
  if ([...balance.values()].some((left) => left !== 0))
    faults.push(
      `${name} is ${state}, and its ${events.length} events do not lead there: one is missing or doubled`,
    );
  return faults;
}

function groupBy<T>(rows: T[], keyOf: (row: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row) ?? '';
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

/** Checks that each object has exactly one creation event. */
function checkCreationEvents(what: string, ids: string[], creationEvents: Map<string, unknown[]>): string[] {
  return ids.flatMap((id) => {
    const count = creationEvents.get(id)?.length ?? 0;
    return count === 1 ? [] : [`${what} ${id} has ${count} creation events`];
  });
}

/** The missing, duplicate and invalid transitions of all payments, attempts and refunds. */
export async function checkHistories(db: Database): Promise<string[]> {
  const states = async (table: 'payments' | 'attempts' | 'refunds', key: string) =>
    // safe: both names are written below.
    await db.asOwner.query<{ id: string; state: string }>(`select ${key} as id, state from ${table}`);
  const payments = await states('payments', 'payment_id');
  const attempts = await states('attempts', 'attempt_id');
  const refunds = await states('refunds', 'refund_id');
  const events = await db.asOwner.query<EventRow & { paymentId: string; attemptId: string }>(
    `select type, data, payment_id as "paymentId", attempt_id as "attemptId" from events
     where payment_id is not null`,
  );
  const moves = events.filter(({ data }) => data.from !== undefined);
  const ofPayment = groupBy(
    moves.filter(({ type }) => type.startsWith('payment.')),
    (event) => event.paymentId,
  );
  const ofAttempt = groupBy(
    moves.filter(({ type }) => type.startsWith('attempt.')),
    (event) => event.attemptId,
  );
  const ofRefund = groupBy(
    moves.filter(({ type }) => type.startsWith('refund.')),
    ({ data }) => data.refundId,
  );
  const walks = [
    ...payments.map((row) => ({ row, initial: 'open', graph: paymentGraph, known: ofPayment })),
    ...attempts.map((row) => ({ row, initial: 'created', graph: attemptGraph, known: ofAttempt })),
    ...refunds.map((row) => ({ row, initial: 'created', graph: refundGraph, known: ofRefund })),
  ].flatMap(({ row, initial, graph, known }) =>
    checkWalk({ name: row.id, state: row.state, initial, graph, events: known.get(row.id) ?? [] }),
  );
  const duplicates = [...ofPayment].flatMap(([id, reported]) =>
    new Set(reported.map(({ data }) => data.version)).size === reported.length
      ? []
      : [`${id} recorded one version twice`],
  );
  const created = (type: string) => events.filter((event) => event.type === type);
  const paymentCreations = groupBy(created('payment.created'), (event) => event.paymentId);
  const refundCreations = groupBy(created('refund.created'), ({ data }) => data.refundId);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return [
    ...walks,
    ...duplicates,
    ...checkCreationEvents('payment', ids(payments), paymentCreations),
    ...checkCreationEvents('refund', ids(refunds), refundCreations),
    ...payments.filter(({ state }) => state === 'processing').map(({ id }) => `${id} is still processing`),
  ];
}
