// Waiting with a limit. It ends the waiting and never the work, which may go on unseen.

/** Waits for work until the signal fires; then throws the signal's reason, even if the work does not heed it. */
export async function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
