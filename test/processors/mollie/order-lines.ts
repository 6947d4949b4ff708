// The order lines of the fake Mollie's payments, with the checks of docs.mollie.com. Must not: import code of the service.

import type { FakeResponse } from '../kit/fake-server.ts';
import { type Amount, centsOf, refuse } from './shapes.ts';

/** The members of an order line that this fake knows. VAT is not among them: Mollie would compare it. */
const lineMembers = new Set(['type', 'description', 'quantity', 'unitPrice', 'totalAmount']);
const goods = ['physical', 'digital', 'shipping_fee', 'surcharge'];
const discounts = ['discount', 'store_credit', 'gift_card'];

function isLine(line: Record<string, unknown>, currency: string): boolean {
  const { type = 'physical', description, quantity, unitPrice, totalAmount } = line;
  const isMoney = (amount: unknown): amount is Amount => {
    const { currency: own, value } = (amount ?? {}) as Record<string, unknown>;
    return own === currency && typeof value === 'string' && /^-?\d{1,10}\.\d\d$/.test(value);
  };
  if (Object.keys(line).some((name) => !lineMembers.has(name))) return false;
  if (typeof description !== 'string' || description === '' || [...description].length > 100) return false;
  if (!Number.isSafeInteger(quantity) || Number(quantity) < 1) return false;
  if (!isMoney(unitPrice) || !isMoney(totalAmount)) return false;
  // The price of a discount must be negative, and no other may be.
  const isSigned = centsOf(unitPrice) < 0 ? discounts.includes(String(type)) : goods.includes(String(type));
  return isSigned && centsOf(totalAmount) === centsOf(unitPrice) * Number(quantity);
}

/** Why Mollie refuses the order lines of a payment; null when they are valid or missing. */
export function linesFault(lines: unknown, amount: Amount): FakeResponse | null {
  if (lines === undefined) return null;
  if (!Array.isArray(lines) || lines.length === 0) return refuse(422, 'The lines are invalid', 'lines');
  if (!lines.every((line: Record<string, unknown>) => isLine(line, amount.currency)))
    return refuse(422, 'A line is invalid', 'lines');
  const cents = lines.reduce((sum, line: { totalAmount: Amount }) => sum + centsOf(line.totalAmount), 0);
  return cents === centsOf(amount)
    ? null
    : refuse(422, 'The amount of the payment does not match the total amount of the lines', 'amount');
}
