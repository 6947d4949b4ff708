// The sentences of the mails and of the receipt, by language. A mail must never hold a visible sentence of
// its own.

import type { Locale } from '../base/locale.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export type MailTexts = typeof en;

const byLocale: Record<Locale, MailTexts> = { en, de };

/** Every sentence in one language. */
export function mailTexts(locale: Locale): MailTexts {
  return byLocale[locale];
}
