// The order in which customers are offered the connections, changed one step at a time and by keyboard.

import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { type Connection, moveConnection } from './connections.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';

type MoveDirection = -1 | 1;
type Move = { connection: Connection; step: MoveDirection };

const idOf = (connection: Connection, step: MoveDirection) => `${step < 0 ? 'up' : 'down'}-${connection.id}`;

/** Moves connections. The moved one keeps the focus. */
export function useOrder(connections: readonly Connection[]) {
  const client = useQueryClient();
  const { session, mode } = useSession();
  const texts = useProcessorTexts();
  const { titleOf } = useProcessorWords();
  const showToast = useShowToast();
  const [move, setMove] = useState<Move | null>(null);
  const request = useApiMutation('orderProcessorConnections', {
    invalidates: ['listProcessorConnections'],
    onSuccess: (response) =>
      client.setQueriesData({ queryKey: ['listProcessorConnections', session.companyId, mode] }, response),
  });
  const order = connections.map(({ id }) => id).join();
  useEffect(() => {
    if (!move || request.isPending) return;
    const { connection, step } = move;
    const steps = [step, step === 1 ? -1 : 1] as const;
    const buttons = steps.map((one) => document.getElementById(idOf(connection, one)));
    buttons.find((button) => button instanceof HTMLButtonElement && !button.disabled)?.focus();
    const position = connections.findIndex(({ id }) => id === connection.id) + 1;
    if (!request.error) showToast(texts.moved(titleOf(connection), position));
    setMove(null);
  }, [order, request.isPending]);
  const go = (next: Move) => {
    if (request.isPending) return;
    setMove(next);
    const ids = connections.map(({ id }) => id);
    request.mutate({ body: { connectionIds: moveConnection(ids, next.connection.id, next.step) } });
  };
  return { go, isWorking: request.isPending, fault: request.error };
}

type ReorderButtonsProps = {
  connection: Connection;
  position: number;
  count: number;
  go(move: Move): void;
};

/** Up and down. */
export function ReorderButtons({ connection, position, count, go }: ReorderButtonsProps) {
  const texts = useProcessorTexts();
  const title = useProcessorWords().titleOf(connection);
  if (count < 2) return null;
  const buttons = [
    { step: -1, sign: '↑', label: texts.moveUp(title), isAtEnd: position === 1 },
    { step: 1, sign: '↓', label: texts.moveDown(title), isAtEnd: position === count },
  ] as const;
  return (
    <div class="actions movers">
      {buttons.map(({ step, sign, label, isAtEnd }) => (
        <button
          key={step}
          type="button"
          id={idOf(connection, step)}
          class="icon-button"
          disabled={isAtEnd}
          aria-label={label}
          onClick={() => go({ connection, step })}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}
