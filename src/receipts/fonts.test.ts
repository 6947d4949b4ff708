// A font prints every character of a receipt, in every language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import PDFDocument from 'pdfkit';
import { flattenTexts } from '../../test/harness/check-catalogue.ts';
import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { locales } from '../base/locale.ts';
import { currencies } from '../base/money.ts';
import { receiptTexts } from '../texts/texts.ts';
import { graphemesOf, openFonts } from './fonts.ts';

test('every character of the texts, times and amounts of a receipt has a glyph, in every language', () => {
  const print = openFonts(new PDFDocument({ font: null as unknown as string }));
  for (const locale of locales) {
    const months = Array.from({ length: 12 }, (_, month) =>
      formatTimestamp(new Date(Date.UTC(2026, month, 9)), locale),
    );
    const amounts = currencies.map((currency) => formatAmount(123_456_789, currency, locale));
    const texts = [...flattenTexts(receiptTexts(locale)).values(), ...months, ...amounts];
    for (const text of texts)
      for (const grapheme of graphemesOf(text))
        assert.notEqual(print(grapheme).text, '\uFFFD', `${locale}: ${grapheme} in ${text}`);
  }
});
