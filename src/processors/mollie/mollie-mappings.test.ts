// Mappings between Mollie and Paylink: languages, decline reasons, webhook addresses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchLocale } from '../../base/match-locale.ts';
import { declineCodeOf } from './declines.ts';
import { mollieLocales } from './payments.ts';
import { webhookAddress } from './webhook-address.ts';

test('a language maps to the closest one of Mollie, or to none', () => {
  const wanted: [string, string | null][] = [
    ['en', 'en_US'],
    ['en-GB', 'en_GB'],
    ['en-AU', 'en_US'],
    ['de', 'de_DE'],
    ['de-AT', 'de_AT'],
    ['de-Latn-CH', 'de_CH'],
    ['DE_at', 'de_AT'],
    ['da', 'da_DK'],
    ['ja-JP', null],
    ['no', 'nb_NO'],
    ['nn-NO', 'nb_NO'],
    ['', null],
    ['e', null],
  ];
  for (const [tag, locale] of wanted) assert.equal(matchLocale(tag, mollieLocales), locale, tag);
  for (const locale of mollieLocales)
    assert.equal(matchLocale(locale.replace('_', '-'), mollieLocales), locale);
});

test('a reason that the customer can fix is not a hard decline, and an unknown reason is a generic decline', () => {
  assert.equal(declineCodeOf('invalid_cvv'), 'incorrect_csc');
  assert.equal(declineCodeOf('card_expired'), 'expired_card');
  assert.equal(declineCodeOf('authentication_abandoned'), 'authentication_failed');
  assert.equal(declineCodeOf('possible_fraud'), 'suspected_fraud');
  assert.equal(declineCodeOf('insufficient_funds'), 'source_declined');
  for (const reason of [null, '', 'a_reason_of_next_year', 'constructor', '__proto__'])
    assert.equal(declineCodeOf(reason), 'source_declined');
});

test('Mollie gets no webhook address that it cannot reach; a fake on this machine gets one', () => {
  const at = (baseUrl: string, apiUrl: string | null) =>
    webhookAddress({ apiUrl, baseUrl, connectionId: 'con_1' });
  const loopback = ['http://localhost:3000', 'http://127.0.0.1', 'http://127.9.9.9:1', 'http://[::1]:8080'];
  for (const baseUrl of [...loopback, 'http://pay.localhost']) {
    assert.equal(at(baseUrl, null), null, baseUrl);
    assert.equal(at(baseUrl, 'http://127.0.0.1:9'), `${baseUrl}/processors/mollie/webhook/con_1`);
  }
  for (const baseUrl of ['https://pay.example', 'https://localhost.example', 'https://127.0.0.1.example'])
    assert.equal(at(baseUrl, null), `${baseUrl}/processors/mollie/webhook/con_1`);
});
