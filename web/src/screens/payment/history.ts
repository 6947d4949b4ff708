// What the history of a payment shows: the number of each attempt, and whether its outcome is unknown.

import type { OperationResponse } from '../../api/call.ts';

export type HistoryEvent = OperationResponse<'listPaymentEvents'>['data'][number];
type EventWithData = Pick<HistoryEvent, 'type' | 'attemptId'>;

/** The number of each attempt, from 1, in the order in which they began. */
export function numberAttempts(
  events: readonly Pick<EventWithData, 'attemptId'>[],
): ReadonlyMap<string, number> {
  const ids = new Set(events.flatMap(({ attemptId }) => attemptId ?? []));
  return new Map([...ids].map((id, index) => [id, index + 1]));
}

const open = ['attempt.unknown', 'attempt.escalated'];

/** Whether the outcome of the last attempt is still unknown. */
export function isOutcomeUnknown(events: readonly EventWithData[]): boolean {
  const last = events.findLast(({ attemptId, type }) => attemptId !== null && type.startsWith('attempt.'));
  return last !== undefined && open.includes(last.type);
}
