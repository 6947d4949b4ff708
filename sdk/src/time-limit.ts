// Time-outs and aborts: one signal that ends a piece of work, whoever ends it first.

export type TimeLimit = {
  /** The signal of whoever waits; its reason is passed on. */
  parent: AbortSignal | undefined;
  limitMs: number;
  /** What is thrown when the time is up. */
  makeReason: () => Error;
  /** True when the work goes on after it has answered, such as a body that is read later. */
  staysOpen?: boolean;
};

/**
 * Runs work under a signal that aborts with the parent, or when the time is up. It ends then, even when the
 * work does not listen. Throws the reason of the abort.
 */
export async function withTimeLimit<T>(
  { parent, limitMs, makeReason, staysOpen = false }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => controller.abort(makeReason()), limitMs);
  // A signal may outlive thousands of calls: each takes its listener away again.
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
    // The reason of the abort comes first: what the work throws because of it may be anything.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
