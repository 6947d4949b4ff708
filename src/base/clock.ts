// Business time. Code reads a Clock once and passes the time down, so that tests can set the time.

export type Clock = { now(): Date };

/** The machine's clock. The only place that reads it for business decisions. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * The time of a clock that was moved; null for the machine's clock. Due times are compared with it, or else with the
 * database's clock, so that a process whose clock is wrong neither delays nor hurries due work.
 */
export function movedTimeOf(clock: Clock): Date | null {
  return clock === systemClock ? null : clock.now();
}
