// The languages of PayPal's pages. Pure.

import { matchLocale } from '../page-locale.ts';

/**
 * Source: developer.paypal.com, "Locale codes", column "BCP-47 code for REST APIs", with the countries whose own language
 * it is. The first of a language is its general form.
 */
export const paypalLocales: readonly string[] = (
  'en-US en-GB en-AU en-CA en-IE en-IN en-NZ en-ZA de-DE de-AT de-CH de-LU fr-FR fr-BE fr-CA fr-CH fr-LU ' +
  'es-ES es-AR es-CL es-CO es-MX es-PE es-UY es-VE nl-NL nl-BE it-IT it-CH pt-PT pt-BR ' +
  'da-DK no-NO sv-SE fi-FI pl-PL cs-CZ sk-SK hu-HU el-GR ru-RU tr-TR he-IL ar-EG ' +
  'ja-JP ko-KR th-TH id-ID zh-CN zh-HK zh-TW'
).split(' ');

/** PayPal's locale for a language tag; null if unsupported, so that PayPal uses the customer's account. */
export function paypalLocaleOf(tag: string): string | null {
  return matchLocale(tag, paypalLocales);
}
