// How the forms of the company convert typed values.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  changeOfBranding,
  changeOfEmailSettings,
  identityOf,
  logoUrlsOf,
  normaliseOrigins,
  toOrigin,
  validateBranding,
  validateEmailSettings,
  validateOrigins,
} from './values.ts';

describe('the forms of the company', () => {
  test('a change has the changed fields only; an emptied field removes its value', () => {
    assert.deepEqual(changeOfBranding({ name: 'Shop' }), { name: 'Shop' });
    assert.deepEqual(changeOfBranding({ color: ' #18A ' }), { branding: { color: '#1188aa' } });
    assert.deepEqual(changeOfBranding({ color: '' }), { branding: { color: null } });
    assert.deepEqual(changeOfEmailSettings({ receipts: false }), { mail: { receipts: false } });
    assert.deepEqual(changeOfEmailSettings({ replyTo: ' ', reminderHours: ' 24 ' }), {
      mail: { replyTo: null, reminderHours: 24 },
    });
  });

  test('the company of an older service has an empty identity and no logo', () => {
    assert.deepEqual(new Set(Object.values(identityOf({}))), new Set(['']));
    assert.deepEqual(logoUrlsOf({}), { light: null, dark: null });
  });

  test('a colour is refused if it is invalid or white text on it is hard to read', () => {
    const faultOf = (color: string) => validateBranding({ name: '', color })['branding.color'];
    assert.equal(faultOf(''), undefined);
    assert.equal(faultOf('1849a9'), undefined);
    assert.equal(faultOf('blue'), 'color');
    assert.equal(faultOf('#ffee00'), 'contrast');
  });

  test('a URL becomes its origin, and an invalid one stays unchanged', () => {
    assert.equal(toOrigin(' https://Shop.example/cart?x=1#y '), 'https://shop.example');
    assert.equal(toOrigin('shop.example'), 'https://shop.example');
    assert.equal(toOrigin('shop.example:8443/x'), 'https://shop.example:8443');
    assert.equal(toOrigin('http://localhost:3000'), 'http://localhost:3000');
    assert.equal(toOrigin('javascript:alert(1)'), 'javascript:alert(1)');
    assert.equal(toOrigin('not an origin'), 'not an origin');
    assert.equal(toOrigin('https://not one/x'), 'https://not one/x');
    assert.equal(toOrigin('  '), '');
  });

  test('empty origins are removed; invalid and repeated ones are errors of their line', () => {
    const { allowedOrigins } = normaliseOrigins({
      allowedOrigins: ['', 'a.example/x', ' ', 'b c', 'a.example'],
    });
    assert.deepEqual(allowedOrigins, ['https://a.example', 'b c', 'https://a.example']);
    assert.deepEqual(validateOrigins({ allowedOrigins }), {
      'allowedOrigins.1': 'origin',
      'allowedOrigins.2': 'repeated',
    });
  });

  test('a reminder is 1 to 168 whole hours before the expiry, or none', () => {
    const mail = { receipts: true, attachReceipts: false, notices: true, noticeAddress: '', replyTo: '' };
    for (const reminderHours of ['', ' ', '1', '168', ' 24 ']) {
      assert.deepEqual(validateEmailSettings({ ...mail, reminderHours }), {}, reminderHours);
    }
    for (const reminderHours of ['0', '169', '1.5', '-1', 'x', '1e2', '9999'])
      assert.deepEqual(validateEmailSettings({ ...mail, reminderHours }), {
        'mail.reminderHours': 'hours',
      });
  });
});
