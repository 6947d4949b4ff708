// The languages of Mollie's pages. Pure.

import { matchLocale } from '../page-locale.ts';

/** Source: Mollie's OpenAPI document of August 2026, schema `locale`. The first of a language is its general form. */
export const mollieLocales: readonly string[] = [
  'en_US',
  'en_GB',
  'en_NL',
  'en_BE',
  'nl_NL',
  'nl_BE',
  'de_DE',
  'de_AT',
  'de_CH',
  'de_LU',
  'fr_FR',
  'fr_BE',
  'fr_LU',
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
  'cs_CZ',
  'sk_SK',
];

/**
 * Mollie's locale for a language tag (`de`, `de-AT`); null if unsupported, so that Mollie uses the browser's
 * language.
 */
export function mollieLocaleOf(tag: string): string | null {
  return matchLocale(tag, mollieLocales);
}
