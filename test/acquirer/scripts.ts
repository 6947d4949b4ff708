// The scripts by which the fake acquirer fails: one for each charge, selected by the card number.

/** All scripts; `…:<ms>` and `decline:<code>` have an argument. */
export const scripts = [
  'approve',
  'decline:generic_decline',
  'decline:incorrect_csc',
  /** Neither charges nor responds. */
  'timeout_before',
  /** Charges, and does not respond. */
  'timeout_after',
  /** Charges, and destroys the connection after half of the response. */
  'reset_mid_answer',
  /** Charges, and responds with 200 and an HTML page. */
  'nonsense',
  'error_500_before',
  'error_500_after',
  /** Waits, charges unless the key was voided meanwhile, and responds. */
  'slow:200',
  'slow:1500',
  /** Charges one cent more than requested. */
  'wrong_amount',
  /** Responds that it is processing, and charges later. */
  'late:1500',
  /** Charges, reports, responds, and reports again at once. */
  'twice',
  /** The same, but the second report comes a second after the response. */
  'twice_late',
  /** Charges, reports, and then responds with the older status: processing. */
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

/** The card number of a script. */
export function cardOf(script: Script): string {
  return numbers.get(script) ?? '';
}

/** The script of a card number; null for an unknown card. */
export function scriptOf(number: string): Script | null {
  return scripts.find((script) => numbers.get(script) === number) ?? null;
}
