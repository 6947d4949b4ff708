// The choice of language at the foot of a page: a form that works without script.

import { type Locale, languages, locales, memoizeByLocale } from '../base/locale.ts';
import { type Html, html } from '../http/html.ts';
import { pageTexts } from '../texts/texts.ts';

/** Where the form is posted to, and its token. */
export type LanguageForm = { action: string; token: string };

const renderChoice = memoizeByLocale((chosen) => {
  const options = locales.map(
    (locale) =>
      html`<option value="${locale}" lang="${locale}"${locale === chosen && html` selected`}>${languages[locale]}</option>`,
  );
  const { label, change } = pageTexts(chosen).language;
  return html`<label for="language">${label}</label>
<select id="language" name="locale" autocomplete="off">${options}</select>
<button type="submit" class="change">${change}</button>`;
});

export function renderLanguageForm({ action, token }: LanguageForm, locale: Locale): Html {
  return html`
<form class="language" method="post" action="${action}">
<input type="hidden" name="form_token" value="${token}">
${renderChoice(locale)}
</form>`;
}
