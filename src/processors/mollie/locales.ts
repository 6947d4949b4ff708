// The languages of Mollie's pages. Pure.

/** Source: docs.mollie.com, "Create payment", parameter `locale`. The first of a language is the one for it alone. */
const locales: readonly string[] = [
  'en_US',
  'en_GB',
  'nl_NL',
  'nl_BE',
  'de_DE',
  'de_AT',
  'de_CH',
  'fr_FR',
  'fr_BE',
  'es_ES',
  'ca_ES',
  'pt_PT',
  'it_IT',
  'nb_NO',
  'sv_SE',
  'fi_FI',
  'da_DK',
  'is_IS',
  'hu_HU',
  'pl_PL',
  'lv_LV',
  'lt_LT',
];

/** Mollie's name for a language tag (`de`, `de-AT`); null where it has no page, so that it goes by the browser. */
export function localeOf(tag: string): string | null {
  const [language = '', ...rest] = tag.split(/[-_]/);
  const exact = `${language.toLowerCase()}_${(rest.at(-1) ?? '').toUpperCase()}`;
  if (locales.includes(exact)) return exact;
  return locales.find((locale) => locale.startsWith(`${language.toLowerCase()}_`)) ?? null;
}
