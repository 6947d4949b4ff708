// Short words about something that was done, for a few seconds and read out. What must not be missed does not go here.

import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';

type Toast = { id: number; text: string; act?: { label: string; run(): void } | undefined };
type Tell = (text: string, act?: Toast['act']) => void;

const shownMs = 6_000;
const Context = createContext<Tell>(() => undefined);

/** Tells something; `act` offers to undo it while it is shown. */
export const useTell = () => useContext(Context);

/** Shows what anything below it tells. */
export function Toasts({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const last = useRef(0);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const tell = useCallback<Tell>(
    (text, act) => {
      const id = ++last.current;
      setToasts((all) => [...all.slice(-2), { id, text, act }]);
      setTimeout(() => drop(id), shownMs);
    },
    [drop],
  );
  return (
    <Context.Provider value={tell}>
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
                  drop(id);
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
