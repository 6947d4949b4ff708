// The sentences of the hosted pages. They are in texts-en.ts and texts-de.ts only. A page must not contain a
// visible sentence of its own.

import type { Locale } from '../base/locale.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

/** The shape of all sentences. English defines it, so that a missing German one does not compile. */
export type Texts = typeof en;

const byLocale: Record<Locale, Texts> = { en, de };

/** Every visible sentence in one language. `fill` or `interpolateText` fill the `{names}`. */
export function texts(locale: Locale): Texts {
  return byLocale[locale];
}
