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

/** A text reduced to letters and digits; `isEnd[position]` is 1 where a word ends. */
type NormalisedText = { text: string; isEnd: Uint8Array };

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isCapital = (code: number) => code >= 0x41 && code <= 0x5a;

/** Byte by byte, because one string per word takes more than linear time in a text of many short words. */
function normaliseText(text: string): NormalisedText {
  const capitals = text.toUpperCase();
  const bytes = Buffer.alloc(capitals.length);
  const isEnd = new Uint8Array(capitals.length + 1);
  let length = 0;
  for (let index = 0; index < capitals.length; index++) {
    const code = capitals.charCodeAt(index);
    if (isDigit(code) || isCapital(code)) bytes[length++] = code;
    else isEnd[length] = 1;
  }
  isEnd[length] = 1;
  return { text: bytes.toString('latin1', 0, length), isEnd };
}

/** One of our length, else the longest that ends at the end of a word. */
function referenceAt({ text, isEnd }: NormalisedText, start: number): string | null {
  const ours = text.slice(start, start + ownLength);
  if (ours.length === ownLength && isValidReference(ours)) return ours;
  for (let length = longest; length > 4; length--) {
    const candidate = text.slice(start, start + length);
    if (isEnd[start + length] === 1 && isValidReference(candidate)) return candidate;
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
