// The language of the dashboard: the chosen one, else the browser's, else English. Another language is shown once its
// texts are loaded; until then, and if they cannot be loaded, the page stays as it is.

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Language } from './languages.ts';
import { writeStored } from './storage.ts';

export type { Language } from './languages.ts';

type LanguageState = {
  language: Language;
  /** Shows and stores another language. Rejects if its texts cannot be loaded. */
  setLanguage(language: Language): Promise<void>;
};

const Context = createContext<LanguageState>({ language: 'en', setLanguage: async () => undefined });

type LanguageProviderProps = {
  /** Its texts are loaded. */
  first: Language;
  load(language: Language): Promise<void>;
  children: ComponentChildren;
};

export function LanguageProvider({ first, load, children }: LanguageProviderProps) {
  const [language, set] = useState(first);
  const wanted = useRef(first);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const state = useMemo(() => {
    const setLanguage = async (next: Language) => {
      wanted.current = next;
      await load(next);
      // Somebody may have chosen yet another one meanwhile.
      if (wanted.current !== next) return;
      writeStored('language', next);
      set(next);
    };
    return { language, setLanguage };
  }, [language, load]);
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

export const useLanguage = () => useContext(Context);
