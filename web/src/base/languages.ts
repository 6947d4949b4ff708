// The languages of the dashboard, one line each. The texts of a language are in texts/<tag>.json.

import { readStored } from './storage.ts';

/** By BCP 47 tag: the language's own name, and the locale of its numbers and dates. */
export const languages = {
  de: { name: 'Deutsch', locale: 'de-DE' },
  en: { name: 'English', locale: 'en-GB' },
  es: { name: 'Español', locale: 'es-ES' },
  fr: { name: 'Français', locale: 'fr-FR' },
  it: { name: 'Italiano', locale: 'it-IT' },
  nl: { name: 'Nederlands', locale: 'nl-NL' },
  pl: { name: 'Polski', locale: 'pl-PL' },
} as const;

export type Language = keyof typeof languages;

const tags = Object.keys(languages) as Language[];

export const languageChoices = tags.map((value) => ({ value, label: languages[value].name }));

/** The first of the tags that the dashboard has, whatever the region; else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [primary = ''] = tag.toLowerCase().split('-');
    const found = tags.find((one) => one === primary);
    if (found) return found;
  }
  return 'en';
}

/** The chosen language, else the browser's. */
export const firstLanguage = (): Language =>
  chooseLanguage([readStored('language') ?? '', ...navigator.languages]);
