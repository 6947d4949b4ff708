// The words by which a payment is found: of its texts, its amount, and the last digits of its card. The same folding is
// applied to what is stored and to what is searched. Reads no database.

import { type Currency, toDecimalText } from '../base/money.ts';

/** What the words of a payment are made of. */
export type WordSource = {
  customerOrderId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  description: string | null;
  amountMinor: number;
  currency: Currency;
  cardLast4: string | null;
};

/** Letters that are more than a base letter with a mark. */
const expansions: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't', ς: 'σ' },
};
const expanded = new RegExp(`[${Object.keys(expansions).join('')}]`, 'g');
const accents = /[\u0300-\u036f]/g;
/** Not ASCII: most texts need no more than lower case. */
const beyondAscii = /[^\0-\x7f]/;
const decimalComma = /(?<=\d),(?=\d)/g;

/** The most characters of a word: an address may have as many. */
const maxLength = 254;
/** The most inner words of one piece of text. */
const maxInner = 6;
/** The most words of a payment. */
export const maxWords = 100;
/** The most words of a search. */
export const maxSearchedWords = 10;

/** A text without case and accents. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').replace(accents, '').toLowerCase();
  // Lower case may have added marks.
  return plain.replace(accents, '').replace(expanded, (letter) => expansions[letter] ?? letter);
}

/** Folded, between white space. */
function piecesOf(text: string): string[] {
  const pieces = foldText(text).split(/\s+/).filter(Boolean);
  return pieces.map((piece) => truncate(piece.replace(decimalComma, '.')));
}

/** Cuts no character in two. */
function truncate(word: string): string {
  if (word.length <= maxLength) return word;
  const cut = word.slice(0, maxLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** The words that begin within a piece, after a character that is no letter, mark or digit: `hara` of `o'hara`. */
function innerWordsOf(piece: string): string[] {
  const starts = [...piece.matchAll(/(?<=[^\p{L}\p{M}\p{N}])[\p{L}\p{N}]/gu)].slice(0, maxInner);
  return starts.map(({ index }) => piece.slice(index));
}

const number = /^\d+\.\d+$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The words of a text. Nobody searches for the middle of a number or of a UUID. */
function wordsOf(text: string): string[] {
  return piecesOf(text).flatMap((piece) =>
    number.test(piece) || uuid.test(piece) ? [piece] : [piece, ...innerWordsOf(piece)],
  );
}

/** The address, what begins within its local part, and its domain. */
function wordsOfAddress(email: string): string[] {
  const at = email.lastIndexOf('@');
  const [locals, domains] = [piecesOf(email.slice(0, at)), piecesOf(email.slice(at + 1))];
  const inner = locals.flatMap(innerWordsOf).map((word) => `${word}@${domains[0] ?? ''}`);
  return [...piecesOf(email), ...inner, ...domains].map(truncate);
}

/** The distinct words of a payment, those of its own data first. */
export function wordsOfPayment(payment: WordSource): string[] {
  const words = new Set([
    ...wordsOf(payment.customerOrderId),
    ...wordsOfAddress(payment.email),
    toDecimalText(payment.amountMinor, payment.currency),
    ...(payment.cardLast4 === null ? [] : [payment.cardLast4]),
    ...[payment.firstName, payment.lastName, payment.description].flatMap((text) => wordsOf(text ?? '')),
  ]);
  // One word that the table refused would stop the words of the whole company.
  return [...words].filter((word) => /^\S+$/.test(word)).slice(0, maxWords);
}

/**
 * The words of a search, longest first: each is a prefix of a word of the payment. Leaves out those that are prefixes of
 * another one.
 */
export function searchedWords(text: string): string[] {
  // The comma of an amount whose decimals are still to be typed, or of a text.
  const words = piecesOf(text).map((piece) => piece.replace(/(?<=\d),$/, ''));
  const pieces = [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return pieces.filter((piece, nth) => !pieces.slice(0, nth).some((longer) => longer.startsWith(piece)));
}
