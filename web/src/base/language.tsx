// The language of the dashboard: the chosen one, else the browser's, else English. A text that is missing in one
// language is a type error. Texts must not contain markup.

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { readStored, writeStored } from './storage.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

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

/** Provides a language to its children, and sets it on the document. */
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

/** A text is fixed, or a function of values. */
type Texts = { readonly [name: string]: string | ((...values: never[]) => string) | Texts };
/** The same texts in another language. */
export type Translation<T extends Texts> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : T[Name] extends Texts
        ? Translation<T[Name]>
        : never;
};

/** Returns a hook with the texts of a part of the dashboard in the current language. */
export function defineTexts<T extends Texts>(en: T, de: Translation<T>): () => Translation<T> {
  return () => (useLanguage().language === 'de' ? de : (en as unknown as Translation<T>));
}
