// Short messages about a result, shown for a few seconds and announced. Messages that must not be missed belong
// elsewhere.

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';

type Toast = { id: number; text: string; act?: { label: string; run(): void } | undefined };
type ShowToast = (text: string, act?: Toast['act']) => void;

const displayMs = 6_000;
const Context = createContext<ShowToast>(() => undefined);

/** Shows a message. `act` offers to undo it meanwhile. */
export const useShowToast = () => useContext(Context);

/** Shows the messages of its children. */
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
