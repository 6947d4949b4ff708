// The browser script, run from the file that browsers get. It must not refuse what the server accepts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { locales } from '../base/locale.ts';
import { parseCard } from '../processors/card.ts';

type Script = {
  brandOf(digits: string): string;
  groupNumber(text: string): string;
  groupExpiry(text: string): string;
  localTime(iso: string, language: string, timeZone?: string): string;
  problemOf(id: string, text: string, number: string, now: Date): string;
};

const source = readFileSync(new URL('./assets/checkout.js', import.meta.url), 'utf8');
// Without a document the script only declares its functions.
const script = vm.createContext({}) as Script;
vm.runInContext(source, script);

const now = new Date('2026-11-20T12:00:00Z');
const good = { name: 'Ada', number: '4242 4242 4242 4242', expiry: '12/30', csc: '123' };
type Field = keyof typeof good;
const ids: Record<Field, string> = { name: 'cc_name', number: 'cc_number', expiry: 'cc_exp', csc: 'cc_csc' };

function serverSays(field: Field, value: string): string {
  const read = parseCard({ ...good, [field]: value }, now);
  return 'faults' in read ? (read.faults[field] ?? '') : '';
}

function scriptSays(field: Field, value: string): string {
  const number = (field === 'number' ? value : good.number).replace(/\D/g, '');
  return script.problemOf(ids[field], value, number, now);
}

test('numbers are grouped 4-4-4-4, American Express 4-6-5, and other text stays unchanged', () => {
  const table = [
    ['', ''],
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242 4242 4242 4242', '4242 4242 4242 4242'],
    ['4242-4242-4242-4242', '4242 4242 4242 4242'],
    [' 4242424242424242 ', '4242 4242 4242 4242'],
    ['6212345678901234567', '6212 3456 7890 1234 567'],
    ['378282246310005', '3782 822463 10005'],
    ['37828', '3782 8'],
    ['4242 x', '4242 x'],
  ] as const;
  for (const [typed, shown] of table) assert.equal(script.groupNumber(typed), shown, typed);
});

test('an expiry date gets its slash and its zero, and other text stays unchanged', () => {
  const table = [
    ['', ''],
    ['1', '1'],
    ['12', '12'],
    ['123', '12/3'],
    ['1230', '12/30'],
    ['9', '09'],
    ['9/30', '09/30'],
    ['930', '09/30'],
    ['0930', '09/30'],
    ['1/', '01/'],
    ['12 / 2030', '12/2030'],
    ['12/30', '12/30'],
    ['122030', '12/2030'],
    ['2030-12', '2030-12'],
    ['dec', 'dec'],
  ] as const;
  for (const [typed, shown] of table) assert.equal(script.groupExpiry(typed), shown, typed);
});

test('the brand follows the first digits', () => {
  const table = [
    ['4', 'Visa'],
    ['51', 'Mastercard'],
    ['2221', 'Mastercard'],
    ['2720', 'Mastercard'],
    ['34', 'American Express'],
    ['6011', 'Discover'],
    ['36', 'Diners Club'],
    ['3528', 'JCB'],
    ['62', 'UnionPay'],
    ['2220', ''],
    ['2721', ''],
    ['50', ''],
    ['', ''],
  ] as const;
  for (const [digits, brand] of table) assert.equal(script.brandOf(digits), brand, digits);
});

test('script and server report the same problem for a field', () => {
  const table: [Field, string, expected: string][] = [
    ['name', ' ', 'missing'],
    ['name', 'Ada', ''],
    ['number', '', 'missing'],
    ['number', '4242424242424242', ''],
    ['number', '4242\u20134242 4242-4242', ''],
    ['number', '4242 4242 4242 4241', 'invalid'],
    ['number', '4242', 'invalid'],
    ['number', '4242 4242 4242 424x', 'invalid'],
    ['number', '4'.repeat(20), 'invalid'],
    ['expiry', ' ', 'missing'],
    ['expiry', ' 12/30 ', ''],
    ['expiry', '12 / 2030', ''],
    ['expiry', '1230', ''],
    ['expiry', '2030-12', ''],
    ['expiry', '12.30', ''],
    ['expiry', '13/30', 'invalid'],
    ['expiry', '00/30', 'invalid'],
    ['expiry', '12', 'invalid'],
    ['expiry', 'never', 'invalid'],
    ['expiry', '10/26', 'expired'],
    ['expiry', '11/26', ''],
    ['csc', '', 'missing'],
    ['csc', ' 123 ', ''],
    ['csc', '12', 'invalid'],
    ['csc', '1234', 'invalid'],
    ['csc', '12a', 'invalid'],
  ];
  for (const [field, value, expected] of table) {
    assert.equal(scriptSays(field, value), expected, `script: ${field} "${value}"`);
    assert.equal(serverSays(field, value), expected, `server: ${field} "${value}"`);
  }
});

test('the script never refuses an expiry date that the server accepts', () => {
  for (let month = 0; month <= 13; month += 1) {
    for (let year = 24; year <= 60; year += 1) {
      const [mm, yy] = [String(month).padStart(2, '0'), String(year)];
      for (const value of [
        `${mm}/${yy}`,
        `${mm}${yy}`,
        `${month}/20${yy}`,
        `20${yy}-${mm}`,
        `${mm} - ${yy}`,
      ]) {
        if (serverSays('expiry', value) === '') assert.equal(scriptSays('expiry', value), '', value);
      }
    }
  }
});

test('the security code has four digits for American Express, and any length before a number is entered', () => {
  assert.equal(script.problemOf('cc_csc', '1234', '378282246310005', now), '');
  assert.equal(script.problemOf('cc_csc', '123', '378282246310005', now), 'invalid');
  assert.equal(script.problemOf('cc_csc', '1234', '', now), '');
  assert.equal(script.problemOf('cc_csc', '123', '', now), '');
});

test('a time is shown in the customer’s time zone, and in UTC as the server writes it', () => {
  const at = new Date('2026-11-29T23:30:00Z');
  for (const locale of locales)
    assert.equal(script.localTime(at.toISOString(), locale, 'UTC'), formatTimestamp(at, locale), locale);
  assert.equal(script.localTime(at.toISOString(), 'en', 'Europe/Berlin'), 'November 30, 2026 at 00:30 UTC+1');
});
