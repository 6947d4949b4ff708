// Time-outs and aborts: one signal that ends work, whatever its cause.

export type TimeLimit = {
  /** The caller's signal; its reason is passed on. */
  parent: AbortSignal | undefined;
  limitMs: number;
  /** The error after the time limit. */
  makeReason: () => Error;
  /** True when the work continues after its result, such as a body that is read later. */
  staysOpen?: boolean;
};

/**
 * Runs work under a signal that aborts with the parent or after the time limit. It ends then, even if the
 * work ignores the signal. Throws the reason of the abort.
 */
export async function withTimeLimit<T>(
  { parent, limitMs, makeReason, staysOpen = false }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => controller.abort(makeReason()), limitMs);
  // A signal may outlive thousands of calls, so each removes its listener.
  parent?.addEventListener('abort', forward, { once: true });
  let isDone = false;
  try {
    const result = await untilAborted(controller.signal, run(controller.signal));
    isDone = true;
    return result;
  } finally {
    clearTimeout(timer);
    if (!(staysOpen && isDone)) parent?.removeEventListener('abort', forward);
  }
}

/** Waits. Throws the signal's reason as soon as it is aborted. */
export async function sleep(waitMs: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await untilAborted(
      signal,
      new Promise((resolve) => {
        timer = setTimeout(resolve, waitMs);
      }),
    );
  } finally {
    clearTimeout(timer);
  }
}

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    // The reason of the abort comes first: it may cause any error in the work.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
