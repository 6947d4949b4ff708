// Which e-mail addresses mail can be written to. Narrower than what mail allows: no quotes, comments or
// lists, so that one address can never be read as two, or as a header.

const special = '\\s@<>()\\[\\]\\\\,;:"\\p{C}';

/** A whole address such as `ada@example.com`, and nothing around it. */
export const plainMailAddress: RegExp = new RegExp(`^[^${special}]{1,64}@[^${special}]{1,253}$`, 'u');
