// Creditor references of ISO 11649 (RF, two check digits, a body). Must not: correct a reference; with one digit
// changed it may belong to another payment.

/** The number of digits in a generated body. With `RF` and the check digits it makes five groups of four. */
const ownBodyLength = 16;
const ownLength = 4 + ownBodyLength;
const longest = 25;

/** The remainder modulo 97 of a text, with A as 10 and Z as 35 (ISO 7064). */
function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}

function isValidReference(reference: string): boolean {
  return (
    /^RF\d\d[A-Z0-9]{1,21}$/.test(reference) && remainder97(reference.slice(4) + reference.slice(0, 4)) === 1
  );
}

/** The reference of a body of 1–21 characters A–Z and 0–9, without spaces. */
export function makeReference(body: string): string {
  if (!/^[A-Z0-9]{1,21}$/.test(body)) throw new RangeError('a body has 1 to 21 characters A-Z and 0-9');
  const checkDigits = String(98 - remainder97(`${body}RF00`)).padStart(2, '0');
  return `RF${checkDigits}${body}`;
}

/** Digits only, which every keyboard has. Two seeds collide once in 10^16: enforce uniqueness where it is stored. */
export function deriveReference(bytes: Uint8Array): string {
  if (bytes.length < 16) throw new RangeError('too few bytes for a reference');
  const seed = BigInt(`0x${Buffer.from(bytes.subarray(0, 16)).toString('hex')}`);
  const body = seed % 10n ** BigInt(ownBodyLength);
  return makeReference(String(body).padStart(ownBodyLength, '0'));
}

/** Reads a typed reference, with or without spaces, in any case; null when it is invalid. */
export function parseReference(text: string): string | null {
  const reference = text.replace(/\s+/g, '').toUpperCase();
  return isValidReference(reference) ? reference : null;
}

/** A text reduced to letters and digits, with the positions where its words began and ended. */
type NormalisedText = { text: string; ends: Set<number> };

function normaliseText(text: string): NormalisedText {
  const ends = new Set<number>();
  let normalised = '';
  for (const [run] of text.toUpperCase().matchAll(/[A-Z0-9]+/g)) {
    normalised += run;
    ends.add(normalised.length);
  }
  return { text: normalised, ends };
}

/** One of our length, else the longest that ends at the end of a word. */
function referenceAt({ text, ends }: NormalisedText, start: number): string | null {
  const ours = text.slice(start, start + ownLength);
  if (ours.length === ownLength && isValidReference(ours)) return ours;
  for (let length = longest; length > 4; length--) {
    const candidate = text.slice(start, start + length);
    if (ends.has(start + length) && isValidReference(candidate)) return candidate;
  }
  return null;
}

/** Each once, in order, in any case, with spaces, line breaks or other signs, and words before and after. */
export function findReferences(text: string): string[] {
  const normalised = normaliseText(text);
  const found = new Set<string>();
  for (const { index } of normalised.text.matchAll(/RF(?=\d\d)/g)) {
    const reference = referenceAt(normalised, index);
    if (reference !== null) found.add(reference);
  }
  return [...found];
}
