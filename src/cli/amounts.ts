// Amounts in options and output. Must not: round one; an amount that a number cannot hold exactly is rejected.

import { isSameDecimal } from '../base/money.ts';
import type { ParsedArguments } from './command.ts';
import { usageError } from './command-error.ts';

/** The amounts of options as numbers of the API. Rejects an amount that a number cannot hold exactly. */
export function readAmounts<Field extends string>(
  given: ParsedArguments,
  fields: Readonly<Record<string, Field>>,
): Partial<Record<Field, number>> {
  const amounts = Object.entries(fields).flatMap(([option, field]) => {
    const text = given.text(option);
    if (text === undefined) return [];
    if (/^\d+(\.\d+)?$/.test(text) && isSameDecimal(text, String(Number(text))))
      return [[field, Number(text)] as const];
    throw usageError(`--${option} must be an amount such as 19.99, not "${text}".`);
  });
  return Object.fromEntries(amounts) as Partial<Record<Field, number>>;
}

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: 2, useGrouping: false }).format(amount) +
  ` ${currency}`;
