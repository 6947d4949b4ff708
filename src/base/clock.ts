// Business time. Code that decides anything by time takes a Clock, reads it once and passes the time down.
// Nothing else in src/ may read the system clock, so that tests can set the time.

export type Clock = { now(): Date };

/** The machine's clock. The only place that reads it for business decisions. */
export const systemClock: Clock = { now: () => new Date() };
