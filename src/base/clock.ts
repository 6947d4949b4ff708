// Business time. Code that decides anything by time takes a Clock, reads it once and passes the
// moment down; nothing else in src/ may read the system clock, so that tests can move time.

export type Clock = { now(): Date };

/** The machine's clock. The only place that reads it for business decisions. */
export const systemClock: Clock = { now: () => new Date() };
