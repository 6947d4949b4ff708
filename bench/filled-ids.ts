// Where the ids of filled rows end, and those of the service begin.

/** An id that sorts after all that were filled, and before all that the service makes. */
export const afterFilledIds = (prefix: string) => `${prefix}_01`;
