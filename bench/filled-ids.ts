// The boundary between the IDs of filled rows and the service's.

/** An ID that sorts after all filled ones, and before all of the service's. */
export const afterFilledIds = (prefix: string) => `${prefix}_01`;
