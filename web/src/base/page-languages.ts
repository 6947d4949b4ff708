// The languages of the customer's pages, which are more than those of the dashboard.

import { locales } from '../../../sdk/src/api-routes.ts';
import type { Language } from './languages.ts';

export type PageLanguage = (typeof locales)[number];

/** The languages with their names in the dashboard's language, in its order. */
export function listPageLanguages(language: Language): { value: PageLanguage; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return locales
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
}
