// The texts of the dashboard. Each language is one file, such as de.json, in ICU MessageFormat, and a chunk of its own
// that is loaded when the language is first shown. A component must not contain a visible text of its own.

import { IntlMessageFormat } from 'intl-messageformat';
import type { ComponentChildren } from 'preact';
import { loadFile } from '../api/load-file.ts';
import { useLanguage } from '../base/language.tsx';
import { type Language, languages } from '../base/languages.ts';
import type english from './en.json';
import type { TextValues } from './text-values.ts';

/** A text with values. `parts` fills it with elements, for the places where a value is markup. */
export type Message<Values> = {
  (values: Values): string;
  parts(values: { [Name in keyof Values]: Values[Name] | ComponentChildren }): ComponentChildren;
};

type TextsOf<Tree, Values> = {
  readonly [Key in keyof Tree]: Key extends keyof Values
    ? Tree[Key] extends string
      ? Message<Values[Key]>
      : TextsOf<Tree[Key], Values[Key]>
    : Tree[Key] extends string
      ? string
      : TextsOf<Tree[Key], unknown>;
};

/** All texts of a language, in the shape of en.json. */
export type Texts = TextsOf<typeof english, TextValues>;
export type Section = keyof Texts;

type Parsed = ReturnType<IntlMessageFormat['getAst']>;

/** A catalogue as scripts/compile-texts.mjs builds it: texts with values are parsed. */
type Compiled = { readonly [key: string]: string | Parsed | Compiled };

function defineMessage(parsed: Parsed, locale: string): Message<Record<string, string>> {
  const message = new IntlMessageFormat(parsed, locale);
  const parts = (values: Record<string, unknown>) =>
    message.formatToParts<ComponentChildren>(values as never).map(({ value }) => value) as ComponentChildren;
  return Object.assign((values: Record<string, string>) => String(message.format(values)), { parts });
}

function fill(compiled: Compiled, locale: string): object {
  const filled = Object.entries(compiled).map(([key, text]) => {
    if (typeof text === 'string') return [key, text];
    return [key, Array.isArray(text) ? defineMessage(text, locale) : fill(text as Compiled, locale)];
  });
  return Object.fromEntries(filled);
}

const files = import.meta.glob<Compiled>(['./*.json', '!./notes.json'], { import: 'default' });
const loaded = new Map<Language, Texts>();

/** Loads the texts of a language, once. Throws like `loadFile`. */
export async function loadTexts(language: Language): Promise<void> {
  if (loaded.has(language)) return;
  const load = files[`./${language}.json`];
  if (!load) throw new Error(`no texts of ${language}`);
  const catalogue = await loadFile(load);
  loaded.set(language, fill(catalogue, languages[language].locale) as Texts);
}

/** Remembers a value for each language, so that it stays the same object. */
function forEachLanguage<Value>(create: (texts: Texts) => Value): () => Value {
  const created = new Map<Language, Value>();
  return () => {
    const { language } = useLanguage();
    const known = created.get(language);
    if (known) return known;
    const texts = loaded.get(language);
    if (!texts) throw new Error(`the texts of ${language} are not loaded`);
    const value = create(texts);
    created.set(language, value);
    return value;
  };
}

/** Returns a hook with a section of the texts in the current language. */
export const defineTexts = <Name extends Section>(section: Name): (() => Texts[Name]) =>
  forEachLanguage((texts) => texts[section]);

type ScreenTexts<Name extends Section> = Omit<Texts['shared'], keyof Texts[Name]> & Texts[Name];

/** The same with the texts that several screens share. A section's own text with the same key takes precedence. */
export const defineScreenTexts = <Name extends Section>(section: Name): (() => ScreenTexts<Name>) =>
  forEachLanguage((texts) => ({ ...texts.shared, ...texts[section] }) as unknown as ScreenTexts<Name>);
