// The texts for customers and merchants: hosted pages, emails and receipts. Each language is one file, such as de.json, in
// ICU MessageFormat. A page, an email or a receipt must not contain a visible text of its own.

import { readFileSync } from 'node:fs';
import type { Locale } from '../base/locale.ts';
import type english from './en.json';

/** English defines the shape: every other catalogue has the same keys, which texts.test.ts checks. */
export type Texts = typeof english;
export type PageTexts = Texts['page'];
export type EmailTexts = Texts['email'];
export type ReceiptTexts = Texts['receipt'];

const loaded = new Map<Locale, Texts>();

function load(locale: Locale): Texts {
  const catalogue = JSON.parse(readFileSync(new URL(`${locale}.json`, import.meta.url), 'utf8')) as Texts;
  loaded.set(locale, catalogue);
  return catalogue;
}

/** All texts of a language, read at its first use. `interpolate` and `interpolateText` fill the `{names}`. */
export function texts(locale: Locale): Texts {
  return loaded.get(locale) ?? load(locale);
}

export const pageTexts = (locale: Locale): PageTexts => texts(locale).page;
export const emailTexts = (locale: Locale): EmailTexts => texts(locale).email;
export const receiptTexts = (locale: Locale): ReceiptTexts => texts(locale).receipt;
