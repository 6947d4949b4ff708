// Work of several steps that a person starts by a press: one at a time, and why it failed is kept until the next one.
// A single call of the API that changes something is `useApiMutation`, which also carries an Idempotency-Key.

import { useCallback, useRef, useState } from 'preact/hooks';

export type AsyncTask = {
  /** Why the last one failed; null when it didn't. */
  fault: unknown;
  isWorking: boolean;
  /** Does the work, unless some is being done. What it throws is kept in `fault`. */
  run(task: () => Promise<void>): Promise<void>;
  /** Forgets the fault. */
  forget(): void;
};

/** What is being done, and why it failed. */
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
    } catch (refusal) {
      setFault(refusal);
    } finally {
      isBusy.current = false;
      setIsWorking(false);
    }
  }, []);
  const forget = useCallback(() => setFault(null), []);
  return { fault, isWorking, run, forget };
}
