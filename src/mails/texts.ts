// The sentences of the emails, by language. An email must not contain a visible sentence
// of its own.

import type { Locale } from '../base/locale.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export type EmailTexts = typeof en;

const byLocale: Record<Locale, EmailTexts> = { en, de };

/** Every sentence in one language. */
export function emailTexts(locale: Locale): EmailTexts {
  return byLocale[locale];
}
