// Checks a catalogue of texts against the English one, and names each fault.

import { IntlMessageFormat } from 'intl-messageformat';

/** A catalogue, or a part of it: nested keys with messages in ICU MessageFormat. */
export type Tree = { readonly [key: string]: string | Tree };

/** The messages by path: `page.pay.button` → `Pay {amount}`. */
export function flattenTexts(tree: Tree, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, text] of flattenTexts(value, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

type Parts = ReturnType<IntlMessageFormat['getAst']>;
/** The arguments of a message with their kind, such as `amount` and `count, plural`, and the forms of its plurals. */
type Arguments = { names: Set<string>; forms: Set<string>[] };

function listArguments(parts: Parts, found: Arguments = { names: new Set(), forms: [] }): Arguments {
  for (const part of parts) {
    if ('options' in part) {
      const isPlural = 'pluralType' in part;
      found.names.add(`${part.value}, ${isPlural ? 'plural' : 'select'}`);
      if (isPlural) found.forms.push(new Set(Object.keys(part.options)));
      for (const { value } of Object.values(part.options)) listArguments(value, found);
    } else if (part.type === 1) found.names.add(part.value);
    else if ('style' in part) found.names.add(`${part.value}, formatted`);
  }
  return found;
}

function parse(message: string, locale: string): Arguments | null {
  try {
    return listArguments(new IntlMessageFormat(message, locale, undefined, { ignoreTag: true }).getAst());
  } catch {
    return null;
  }
}

function faultsOfForms(forms: ReadonlySet<string>, locale: string): string[] {
  // The literal form is the one of Intl, in CLDR's order.
  const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  return [
    ...needed.filter((form) => !forms.has(form)).map((form) => `lacks the plural form ${form}`),
    ...[...forms]
      .filter((form) => !form.startsWith('=') && !needed.some((one) => one === form))
      .map((form) => `has the plural form ${form}, which the language does not use`),
  ];
}

function faultsOfArguments(message: string, english: string, locale: string): string[] {
  const own = parse(message, locale);
  const wanted = parse(english, 'en');
  if (!own || !wanted) return ['cannot be parsed as ICU MessageFormat'];
  return [
    ...[...wanted.names].filter((name) => !own.names.has(name)).map((name) => `lacks {${name}}`),
    ...[...own.names]
      .filter((name) => !wanted.names.has(name))
      .map((name) => `has {${name}}, which English lacks`),
    ...own.forms.flatMap((forms) => faultsOfForms(forms, locale)),
  ];
}

/** Faults of a message by itself. `isMarkup`: it is put into markup, and not only shown as text. */
function faultsOfText(message: string, isMarkup: boolean): string[] {
  const faults: readonly [isFound: boolean, fault: string][] = [
    [message === '', 'is empty'],
    [(isMarkup ? /[<>&]/ : /[<>]/).test(message), 'has markup'],
    // In ICU MessageFormat it quotes what follows.
    [message.includes("'"), "has the apostrophe ', write ’"],
    [/^\s|\s$/.test(message), 'begins or ends with a space'],
    [/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(message), 'has a control character'],
  ];
  return faults.filter(([isFound]) => isFound).map(([, fault]) => fault);
}

type Check = {
  locale: string;
  english: Tree;
  /** The keys whose text may be the English one; null for English itself. */
  same: readonly string[] | null;
  /** Whether the texts are put into markup, so that they may have no `&`. */
  isMarkup?: boolean;
};

export function faultsOfCatalogue(
  catalogue: Tree,
  { locale, english, same, isMarkup = true }: Check,
): string[] {
  const texts = flattenTexts(catalogue);
  const wanted = flattenTexts(english);
  const faults: string[] = [];
  for (const key of wanted.keys()) if (!texts.has(key)) faults.push(`${key} is missing`);
  for (const key of texts.keys())
    if (!wanted.has(key)) faults.push(`${key} is not a key of the English texts`);
  if (faults.length === 0 && [...texts.keys()].join() !== [...wanted.keys()].join())
    faults.push('the keys are not in the order of the English texts');
  for (const [key, message] of texts) {
    const original = wanted.get(key);
    if (original === undefined) continue;
    const own = [...faultsOfText(message, isMarkup), ...faultsOfArguments(message, original, locale)];
    if (message !== '' && same && message === original && !same.includes(key)) own.push('is English');
    faults.push(...own.map((fault) => `${key} ${fault}`));
  }
  return faults;
}
