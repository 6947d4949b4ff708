// Business time. Code reads a Clock once and passes the time down, so that tests can set the time.

export type Clock = { now(): Date };

/** The machine's clock. The only place that reads it for business decisions. */
export const systemClock: Clock = { now: () => new Date() };
