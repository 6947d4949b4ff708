// Card data in a wrapper that never prints, logs or serialises it. Card numbers and security codes exist only
// in memory, during one request (PCI DSS 4.0, requirements 3.3 and 3.4).

import { inspect } from 'node:util';

export type CardData = {
  holder: string;
  number: string;
  expiryMonth: number;
  expiryYear: number;
  csc: string;
};
export type ProtectedCard = { readonly brand: string; readonly last4: string };

export type CardField = 'name' | 'number' | 'expiry' | 'csc';
export type CardError = 'missing' | 'invalid' | 'expired' | 'too_long';

const contents = new WeakMap<ProtectedCard, CardData>();

/** Wraps card data. Brand and last four digits stay visible and may be stored and shown. */
export function protectCard(data: CardData): ProtectedCard {
  const card: ProtectedCard = Object.freeze(
    Object.defineProperty({ brand: brandOf(data.number), last4: data.number.slice(-4) }, inspect.custom, {
      value: () => '[card]',
    }),
  );
  contents.set(card, data);
  return card;
}

/** Unwraps card data. Only processors may call this. */
export function revealCard(card: ProtectedCard): CardData {
  const data = contents.get(card);
  if (!data) throw new Error('the card is not a protected card');
  return data;
}

/** The brand by the number's first digits (ISO/IEC 7812), as far as pages and receipts need it. */
export function brandOf(number: string): string {
  if (/^4/.test(number)) return 'visa';
  if (/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(number)) return 'mastercard';
  if (/^3[47]/.test(number)) return 'amex';
  if (/^(6011|65|64[4-9])/.test(number)) return 'discover';
  return 'card';
}

const brandNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** Null for an unknown brand. */
export function brandName(brand: string): string | null {
  return brandNames[brand.toLowerCase()] ?? null;
}

/** Checks the check digit of ISO/IEC 7812-1 annex B. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Reads `12/30`, `12 / 2030`, `1230`, and `2030-12`, which browsers fill in. */
function readExpiry(text: string): { month: number; year: number } | null {
  const iso = /^(20\d\d)-(\d\d)$/.exec(text);
  const plain = /^(\d{1,2}) ?[/.-] ?(\d\d|20\d\d)$|^(\d\d)(\d\d)$/.exec(text);
  const month = Number(iso?.[2] ?? plain?.[1] ?? plain?.[3]);
  const year = Number(iso?.[1] ?? plain?.[2] ?? plain?.[4]);
  if (!(month >= 1 && month <= 12) || Number.isNaN(year)) return null;
  return { month, year: year < 100 ? 2000 + year : year };
}

export type CardForm = { name: string; number: string; expiry: string; csc: string };

function cardNumberError(number: string): CardError | null {
  if (number === '') return 'missing';
  return /^\d{12,19}$/.test(number) && passesLuhn(number) ? null : 'invalid';
}

function expiryError(
  text: string,
  expiry: { month: number; year: number } | null,
  now: Date,
): CardError | null {
  if (text === '') return 'missing';
  if (!expiry) return 'invalid';
  // A card is valid until the last day of its month in every time zone: it ends on the day after in UTC.
  const end = Date.UTC(expiry.year, expiry.month, 2);
  if (end < now.getTime()) return 'expired';
  return expiry.year > now.getUTCFullYear() + 30 ? 'invalid' : null;
}

/** Parses the card fields of a form. Returns the wrapped card, or the error of each field. */
export function parseCard(
  form: CardForm,
  now: Date,
): { card: ProtectedCard } | { faults: Partial<Record<CardField, CardError>> } {
  const holder = form.name.trim();
  const number = form.number.replaceAll(/[\s\p{Pd}]/gu, '');
  const expiryText = form.expiry.trim();
  const expiry = readExpiry(expiryText);
  const csc = form.csc.trim();
  const isCsc = (brandOf(number) === 'amex' ? /^\d{4}$/ : /^\d{3}$/).test(csc);
  const results: Record<CardField, CardError | null> = {
    name: holder === '' ? 'missing' : holder.length > 200 ? 'too_long' : null,
    number: cardNumberError(number),
    expiry: expiryError(expiryText, expiry, now),
    csc: csc === '' ? 'missing' : isCsc ? null : 'invalid',
  };
  const faults: Partial<Record<CardField, CardError>> = Object.fromEntries(
    Object.entries(results).flatMap(([field, error]) => (error ? [[field, error]] : [])),
  );
  if (Object.keys(faults).length > 0 || !expiry) return { faults };
  return { card: protectCard({ holder, number, expiryMonth: expiry.month, expiryYear: expiry.year, csc }) };
}
