// Runs work of several steps that a person starts: one at a time, with its error kept until the next run. For a
// single API call that changes something, use `useApiMutation`, which also sends an Idempotency-Key.

import { useCallback, useRef, useState } from 'preact/hooks';

export type AsyncTask = {
  fault: unknown;
  isWorking: boolean;
  /** Runs the task, unless one is running. An error is stored in `fault`. */
  run(task: () => Promise<void>): Promise<void>;
  clearFault(): void;
};

export function useAsyncTask(): AsyncTask {
  const [fault, setFault] = useState<unknown>(null);
  const [isWorking, setIsWorking] = useState(false);
  const isBusy = useRef(false);
  const run = useCallback(async (task: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsWorking(true);
    setFault(null);
    try {
      await task();
    } catch (error) {
      setFault(error);
    } finally {
      isBusy.current = false;
      setIsWorking(false);
    }
  }, []);
  const clearFault = useCallback(() => setFault(null), []);
  return { fault, isWorking, run, clearFault };
}
