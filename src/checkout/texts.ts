// The sentences of the hosted pages. They live in texts-en.ts and texts-de.ts and nowhere else; a page
// must never hold a visible sentence of its own.

import type { Locale } from '../base/locale.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

/** The shape of all sentences. English gives it, so that a missing German one does not compile. */
export type Texts = typeof en;

const byLocale: Record<Locale, Texts> = { en, de };

/** Every visible sentence in one language. `{names}` in them are filled by `fill` or `interpolateText`. */
export function texts(locale: Locale): Texts {
  return byLocale[locale];
}
