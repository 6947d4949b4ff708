// Account numbers: the published examples are read, and typing errors are found.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { composeIBAN } from 'ibantools';
import { formatIban, isSepaIban, parseBic, parseIban } from './iban.ts';

/** Examples that the countries themselves publish in the IBAN registry. */
const published = [
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'BE68539007547034',
  'NO9386011117947',
  'CH9300762011623852957',
  'MT84MALT011000012345MTLCAST001S',
  'GB29NWBK60161331926819',
];

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(''));

const germanIban = digits(18).map((bban) => composeIBAN({ countryCode: 'DE', bban })!);

test('the published example of each country is valid, with spaces and in lower case', () => {
  for (const iban of published) {
    assert.deepEqual(parseIban(iban), { iban });
    assert.deepEqual(parseIban(` ${formatIban(iban).toLowerCase()}\u00a0`), { iban });
  }
});

test('an IBAN is formatted in groups of four and parsed from them', () => {
  assert.equal(formatIban('DE89370400440532013000'), 'DE89 3704 0044 0532 0130 00');
  assert.equal(formatIban('BE68539007547034'), 'BE68 5390 0754 7034');
});

test('each fault of an IBAN has its own code', () => {
  const cases = {
    'DE89-3704': 'bad_characters',
    '': 'bad_characters',
    ДЕ89370400440532013000: 'bad_characters',
    XX89370400440532013000: 'unknown_country',
    US64SVBKUS6S3300958879: 'unknown_country',
    DE8937040044053201300: 'wrong_length',
    DE893704004405320130000: 'wrong_length',
    DE8937040044053201300X: 'wrong_form',
    DEXX370400440532013000: 'wrong_check_digits',
    DE88370400440532013000: 'wrong_check_digits',
    // The right digits are 98: the same remainder, but never written this way.
    GB01BARC20714583608387: 'wrong_check_digits',
  };
  for (const [text, fault] of Object.entries(cases)) assert.deepEqual(parseIban(text), { fault }, text);
});

test('national check digits are not verified', () => {
  // Belgium's last two digits should be 34 here: the remainder of the others modulo 97.
  assert.deepEqual(parseIban('BE41539007547035'), { iban: 'BE41539007547035' });
});

test('one changed digit of an IBAN is always detected', () => {
  fc.assert(
    fc.property(
      germanIban,
      fc.integer({ min: 2, max: 21 }),
      fc.integer({ min: 1, max: 9 }),
      (iban, at, add) => {
        const changed = iban.slice(0, at) + ((Number(iban[at]) + add) % 10) + iban.slice(at + 1);
        assert.deepEqual(parseIban(iban), { iban });
        assert.deepEqual(parseIban(changed), { fault: 'wrong_check_digits' });
      },
    ),
  );
});

test('two transposed neighbouring digits are always detected', () => {
  fc.assert(
    fc.property(germanIban, fc.integer({ min: 4, max: 20 }), (iban, at) => {
      fc.pre(iban[at] !== iban[at + 1]);
      const swapped = iban.slice(0, at) + iban[at + 1] + iban[at] + iban.slice(at + 2);
      assert.deepEqual(parseIban(swapped), { fault: 'wrong_check_digits' });
    }),
  );
});

test('SEPA countries are recognized', () => {
  for (const country of ['DE', 'FR', 'IE', 'CH', 'GB', 'NO', 'BG', 'HR'])
    assert.equal(isSepaIban(`${country}00`), true, country);
  for (const country of ['TR', 'BR', 'SA', 'US', 'XX'])
    assert.equal(isSepaIban(`${country}00`), false, country);
});

test('a BIC may have spaces and lower case, and a malformed one is rejected', () => {
  assert.equal(parseBic(' cobadeff xxx'), 'COBADEFFXXX');
  assert.equal(parseBic('COBADEFF'), 'COBADEFF');
  for (const text of ['', 'COBADEF', 'COBADEFFXX', 'C0BADEFF', 'COBAXXFF', 'COBADEFF\nX'])
    assert.equal(parseBic(text), null, text);
});
