// Short words about something that was done, for a few seconds and read out. What must not be missed does not go here.

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';

type Toast = { id: number; text: string; act?: { label: string; run(): void } | undefined };
type ShowToast = (text: string, act?: Toast['act']) => void;

const displayMs = 6_000;
const Context = createContext<ShowToast>(() => undefined);

/** Tells something; `act` offers to undo it while it is shown. */
export const useShowToast = () => useContext(Context);

/** Shows what anything below it tells. */
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
      <div class="toasts" role="status" aria-live="polite">
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
