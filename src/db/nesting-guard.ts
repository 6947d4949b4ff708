// Refuses a second transaction inside an open one.

import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs the caller's work. Inside it the outer handle is refused. */
type EnterScope = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Refuses the outer handle inside a transaction. The embedded engine has one connection, so a request for a
 * second one would wait for itself. A server would respond, but run out of connections under load. So it is
 * an error on both.
 */
export function createNestingGuard() {
  const scope = new AsyncLocalStorage<{ isOpen: boolean }>();
  return async <T>(run: (enter: EnterScope) => Promise<T>): Promise<T> => {
    if (scope.getStore()?.isOpen) {
      throw new Error(
        'database used outside its transaction: the open transaction holds the connection that this call ' +
          'would wait for; pass the transaction on and use that',
      );
    }
    return run(async (work) => {
      const store = { isOpen: true };
      try {
        return await scope.run(store, work);
      } finally {
        store.isOpen = false;
      }
    });
  };
}
