// Amounts of Medusa: major units with decimals of any length, as numbers, texts or objects that carry an exact text.

import { type Decimal, parseDecimal } from '../../shared/amounts.ts';
import { RefusedError } from '../../shared/refused-error.ts';

/**
 * The exact value of what Medusa calls a BigNumberInput: a number, a text, `{ value }` as its database stores it, its
 * own BigNumber with `raw`, or one of bignumber.js.
 */
export function readAmount(input: unknown): Decimal {
  const text = textOf(input);
  const amount = text === null ? null : parseDecimal(text);
  if (amount === null) throw new RefusedError('invalid', 'The amount of the payment is not a number.');
  return amount;
}

function textOf(input: unknown): string | null {
  if (typeof input === 'string') return input;
  if (typeof input === 'number') return String(input);
  if (typeof input !== 'object' || input === null) return null;
  const { raw, value, numeric, toFixed } = input as Record<string, unknown>;
  if (raw !== undefined) return textOf(raw);
  if (value !== undefined) return textOf(value);
  if (numeric !== undefined) return textOf(numeric);
  return typeof toFixed === 'function' ? String(toFixed.call(input)) : null;
}
