// Short messages about a result, shown for a few seconds and announced. Messages that must not be missed belong
// elsewhere. Actions end with such a message.

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Input, OperationId, OperationResponse } from '../api/call.ts';
import { useApiMutation } from '../api/queries.ts';
import { useMay } from '../api/session.tsx';
import { useCommonTexts } from '../texts/common.ts';
import { useExplain } from '../texts/problems.ts';

type ActionOptions<Id extends OperationId> = {
  invalidates?: readonly OperationId[];
  onClose?: () => void;
  onSuccess?: (response: OperationResponse<Id>, input: Input<Id>) => void;
};

/** A mutation that shows a message when it is done. */
export function useAction<Id extends OperationId>(
  id: Id,
  message: string | ((response: OperationResponse<Id>) => string),
  { invalidates = [], onClose, onSuccess }: ActionOptions<Id> = {},
) {
  const showToast = useShowToast();
  return useApiMutation(id, {
    invalidates,
    onSuccess: (response, input) => {
      showToast(typeof message === 'string' ? message : message(response));
      onClose?.();
      onSuccess?.(response, input);
    },
  });
}

/** Shows why an action failed, where there is no form for it. */
export function useShowFault(): (fault: unknown) => void {
  const showToast = useShowToast();
  const explain = useExplain();
  const { viewRequest } = useCommonTexts();
  const mayRead = useMay('requests:read');
  const [, navigate] = useLocation();
  return (fault) => {
    const { sentence, requestId } = explain(fault);
    const run = () => navigate(`/requests/${encodeURIComponent(requestId ?? '')}`);
    showToast(sentence, requestId !== null && mayRead ? { label: viewRequest, run } : undefined);
  };
}

type Toast = { id: number; text: string; act?: { label: string; run(): void } | undefined };
type ShowToast = (text: string, act?: Toast['act']) => void;

const displayMs = 6_000;
const Context = createContext<ShowToast>(() => undefined);

/** Shows a message. `act` offers to undo it meanwhile. */
export const useShowToast = () => useContext(Context);

export function Toasts({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const last = useRef(0);
  const removeToast = useCallback(
    (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)),
    [],
  );
  const showToast = useCallback<ShowToast>(
    (text, act) => {
      const id = ++last.current;
      setToasts((all) => [...all.slice(-2), { id, text, act }]);
      setTimeout(() => removeToast(id), displayMs);
    },
    [removeToast],
  );
  return (
    <Context.Provider value={showToast}>
      {children}
      <div class="stack-small toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, act }) => (
          <div key={id} class="toast">
            <span>{text}</span>
            {act && (
              <button
                type="button"
                class="toast-act"
                onClick={() => {
                  act.run();
                  removeToast(id);
                }}
              >
                {act.label}
              </button>
            )}
          </div>
        ))}
      </div>
    </Context.Provider>
  );
}
