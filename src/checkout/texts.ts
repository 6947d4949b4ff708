// The texts of the hosted pages, from texts-en.ts and texts-de.ts. A page must not contain a visible text of its own.

import type { Locale } from '../base/locale.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

/** English defines the shape, so that a missing German text does not compile. */
export type Texts = typeof en;

const byLocale: Record<Locale, Texts> = { en, de };

/** `interpolate` and `interpolateText` fill the `{names}`. */
export function texts(locale: Locale): Texts {
  return byLocale[locale];
}
