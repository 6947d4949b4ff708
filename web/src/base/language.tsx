// The language of the dashboard: the chosen one, else the browser's, else English. Texts are pairs of English and German,
// and must not contain markup.

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { readStored, writeStored } from './storage.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

export const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }));

type LanguageState = { language: Language; setLanguage(language: Language): void };

const Context = createContext<LanguageState>({ language: 'en', setLanguage: () => undefined });

function firstLanguage(): Language {
  const wanted = [readStored('language') ?? '', ...navigator.languages];
  for (const tag of wanted) {
    const found = languages.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}

export function LanguageProvider({ children }: { children: ComponentChildren }) {
  const [language, set] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const state = useMemo(() => {
    const setLanguage = (next: Language) => {
      writeStored('language', next);
      set(next);
    };
    return { language, setLanguage };
  }, [language]);
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

export const useLanguage = () => useContext(Context);

type Text = string | ((...values: never[]) => string);
type Texts = { readonly [name: string]: readonly [en: Text, de: Text] | Texts };
type Chosen<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly [infer En, unknown]
    ? En extends string
      ? string
      : En
    : Chosen<T[Name]>;
};
/** Requires that a text takes the same values in both languages. */
type Translated<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly [infer En, unknown]
    ? readonly [En, En extends string ? string : En]
    : Translated<T[Name]>;
};

function choose(texts: Texts, index: 0 | 1): object {
  const chosen = Object.entries(texts).map(([name, text]) => [
    name,
    Array.isArray(text) ? text[index] : choose(text as Texts, index),
  ]);
  return Object.fromEntries(chosen);
}

/** Returns a hook with the texts of a part of the dashboard in the current language. */
export function defineTexts<const T extends Texts>(texts: T & Translated<T>): () => Chosen<T> {
  const byLanguage = { en: choose(texts, 0), de: choose(texts, 1) };
  return () => byLanguage[useLanguage().language] as Chosen<T>;
}

type CountedForms = readonly [one: string, many: string];

/** A text that begins with a count, such as `counted(['link', 'links'], ['Link', 'Links'])`. */
export function counted(en: CountedForms, de: CountedForms) {
  const write =
    (language: Language, [one, many]: CountedForms) =>
    (count: number) =>
      count === 1 ? `1 ${one}` : `${count.toLocaleString(language)} ${many}`;
  return [write('en', en), write('de', de)] as const;
}
