// How the fake acquirer is told to misbehave: one script a charge, chosen by the card number. Pure
// tables, shared by the acquirer, the processor that talks to it, and the tests.

/** Every way in which a charge may go; `…:<ms>` and `decline:<code>` carry an argument. */
export const scripts = [
  'approve',
  'decline:generic_decline',
  'decline:incorrect_csc',
  /** Never answers, never charges. */
  'timeout_before',
  /** Charges, never answers. */
  'timeout_after',
  /** Charges, and destroys the connection after half of its answer. */
  'reset_mid_answer',
  /** Charges, and answers 200 with a page of HTML. */
  'nonsense',
  'error_500_before',
  'error_500_after',
  /** Waits, then charges (unless the key was made void meanwhile), then answers. */
  'slow:200',
  'slow:1500',
  /** Charges one cent more than it was asked for. */
  'wrong_amount',
  /** Answers that it is processing, and charges later. */
  'late:1500',
  /** Charges, tells of it by itself, answers, and tells once more at once. */
  'twice',
  /** The same, but the second word comes a second after the answer. */
  'twice_late',
  /** Charges, tells of it by itself, and then answers with older news: that it is processing. */
  'out_of_order',
] as const;

export type Script = (typeof scripts)[number];

/** Appends the check digit of ISO/IEC 7812-1 to the digits of a card number. */
function withCheckDigit(digits: string): string {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const numbers = new Map<Script, string>(
  scripts.map((script, index) => [script, withCheckDigit(`40000077${String(index).padStart(7, '0')}`)]),
);

/** The card number that makes the acquirer follow a script. */
export function cardOf(script: Script): string {
  return numbers.get(script) ?? '';
}

/** The script of a card number, or null for a card that the acquirer does not take. */
export function scriptOf(number: string): Script | null {
  return scripts.find((script) => numbers.get(script) === number) ?? null;
}
