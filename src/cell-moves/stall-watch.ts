// Notices what makes no progress, so that a move does not wait for ever while its slot keeps the log of a server.

/** How long a copy or a standby may make no progress. */
export const defaultStallLimitMs = 5 * 60_000;

/** Each call is given the progress as a text. Returns whether it has stayed the same for the limit. */
export function createStallWatch(limitMs: number): (progress: string) => boolean {
  let last: string | null = null;
  let since = performance.now();
  return (progress) => {
    if (progress !== last) since = performance.now();
    last = progress;
    return performance.now() - since > limitMs;
  };
}
