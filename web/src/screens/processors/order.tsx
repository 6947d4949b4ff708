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
  const act = useApiMutation('orderProcessorConnections', {
    refreshes: ['listProcessorConnections'],
    onDone: (answer) =>
      client.setQueriesData({ queryKey: ['listProcessorConnections', session.companyId, mode] }, answer),
  });
  const order = connections.map(({ id }) => id).join();
  useEffect(() => {
    if (!move || act.isPending) return;
    const { connection, step } = move;
    const steps = [step, step === 1 ? -1 : 1] as const;
    const buttons = steps.map((one) => document.getElementById(idOf(connection, one)));
    buttons.find((button) => button instanceof HTMLButtonElement && !button.disabled)?.focus();
    const place = connections.findIndex(({ id }) => id === connection.id) + 1;
    if (!act.error) showToast(texts.moved(titleOf(connection), place));
    setMove(null);
  }, [order, act.isPending]);
  const go = (next: Move) => {
    if (act.isPending) return;
    setMove(next);
    const ids = connections.map(({ id }) => id);
    act.mutate({ body: { connectionIds: moveConnection(ids, next.connection.id, next.step) } });
  };
  return { go, isWorking: act.isPending, fault: act.error };
}

export type ReorderButtonsProps = {
  connection: Connection;
  place: number;
  count: number;
  go(move: Move): void;
};

/** Up and down. */
export function ReorderButtons({ connection, place, count, go }: ReorderButtonsProps) {
  const texts = useProcessorTexts();
  const title = useProcessorWords().titleOf(connection);
  if (count < 2) return null;
  return (
    <div class="movers">
      <button
        type="button"
        id={idOf(connection, -1)}
        class="icon-button"
        disabled={place === 1}
        aria-label={texts.moveUp(title)}
        onClick={() => go({ connection, step: -1 })}
      >
        ↑
      </button>
      <button
        type="button"
        id={idOf(connection, 1)}
        class="icon-button"
        disabled={place === count}
        aria-label={texts.moveDown(title)}
        onClick={() => go({ connection, step: 1 })}
      >
        ↓
      </button>
    </div>
  );
}
