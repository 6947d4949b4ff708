// Checks of the items of a payment request that a schema can't express: exact amounts, printable names, and the sum.

import type { FieldError } from '../base/errors.ts';
import { type Currency, exponentOf, maxAmountMajor, parseScaled, toDecimalText } from '../base/money.ts';
import { hasDirectionControls, isVisible } from '../base/visible-text.ts';
import { lineTotal, type PaymentItem } from '../payments/items.ts';
import type { ItemInput } from '../payments/schema.ts';

type FaultOf = Omit<FieldError, 'field'>;

const amountRange = `between -${maxAmountMajor}.00 and ${maxAmountMajor}.00`;

function nameError(name: string): FaultOf | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return {
      code: 'not_printable',
      detail: 'This must not contain line breaks or other control characters.',
    };
  if (hasDirectionControls(name))
    return {
      code: 'not_printable',
      detail:
        'This must not contain characters that change the writing direction (U+202A–202E, U+2066–2069).',
    };
  if (!isVisible(name)) return { code: 'not_printable', detail: 'This must not be blank.' };
  return null;
}

// The body was parsed so that a number prints as exactly the decimal that was sent.
function readUnitAmount(unitAmount: number, currency: Currency): { amountMinor: number } | FaultOf {
  const decimals = exponentOf(currency);
  const parsed = parseScaled(String(unitAmount), decimals);
  if ('scaled' in parsed && Math.abs(parsed.scaled) <= maxAmountMajor * 10 ** decimals)
    return { amountMinor: parsed.scaled };
  const code = 'fault' in parsed ? parsed.fault : 'too_large';
  const details: Record<typeof code, string> = {
    not_a_number: 'This must be a number.',
    too_precise: `${currency} has at most ${decimals} decimals.`,
    too_large: `This must be ${amountRange}.`,
  };
  return { code, detail: details[code] };
}

function readTaxRate(taxRate: number | null | undefined): { rate: number | null } | FaultOf {
  if (taxRate === null || taxRate === undefined) return { rate: null };
  const parsed = parseScaled(String(taxRate), 2);
  if ('scaled' in parsed) return { rate: parsed.scaled };
  return { code: parsed.fault, detail: 'This is a percentage with at most 2 decimals, such as 19 or 7.7.' };
}

/** The item to store, or its errors, by the names of its fields. */
function readItem(item: ItemInput, currency: Currency): PaymentItem | FieldError[] {
  const { name, quantity } = item;
  const unit = readUnitAmount(item.unitAmount, currency);
  const tax = readTaxRate(item.taxRate);
  const nameFault = nameError(name);
  if (nameFault || !('amountMinor' in unit) || !('rate' in tax))
    return [
      ...(nameFault ? [{ field: 'name', ...nameFault }] : []),
      ...('amountMinor' in unit ? [] : [{ field: 'unitAmount', ...unit }]),
      ...('rate' in tax ? [] : [{ field: 'taxRate', ...tax }]),
    ];
  const read = { name, quantity, unitAmountMinor: unit.amountMinor, taxRate: tax.rate };
  // So every sum of items is a safe integer.
  if (Math.abs(lineTotal(read)) <= maxAmountMajor * 10 ** exponentOf(currency)) return read;
  const detail = `quantity × unitAmount must be ${amountRange}.`;
  return [{ field: 'unitAmount', code: 'too_large', detail }];
}

function sumError(items: readonly PaymentItem[], amountMinor: number, currency: Currency): FieldError | null {
  const sumMinor = items.reduce((sum, item) => sum + lineTotal(item), 0);
  if (sumMinor === amountMinor) return null;
  const show = (minor: number) => `${toDecimalText(minor, currency)} ${currency}`;
  return {
    field: 'items',
    code: 'sum_differs',
    detail: `The items add up to ${show(sumMinor)}, but amount is ${show(amountMinor)}. The sum of quantity × unitAmount must equal amount.`,
  };
}

/**
 * The items to store, and the errors in them. Skips an item that is null: the schema has refused it. The sum is compared if
 * `amountMinor` is known and all items are valid.
 */
export function checkItems(
  items: readonly (ItemInput | null)[],
  { amountMinor, currency }: { amountMinor: number | null; currency: Currency },
): { items: PaymentItem[]; faults: FieldError[] } {
  const valid: PaymentItem[] = [];
  const faults: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const read = item && readItem(item, currency);
    if (read === null) continue;
    if (Array.isArray(read))
      faults.push(...read.map(({ field, ...fault }) => ({ field: `items.${index}.${field}`, ...fault })));
    else valid.push(read);
  }
  const isComplete = items.length > 0 && valid.length === items.length && amountMinor !== null;
  const sumFault = isComplete ? sumError(valid, amountMinor, currency) : null;
  return { items: valid, faults: sumFault ? [...faults, sumFault] : faults };
}
