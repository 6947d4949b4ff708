import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContactSource, contactItems, supportItems } from './contact-lines.ts';

const nothing: ContactSource = {
  ...{ supportEmail: null, supportPhone: null, website: null, postalAddress: null, vatId: null },
  ...{ imprintUrl: null, termsUrl: null, privacyUrl: null, statementDescriptor: null, country: 'DE' },
};
const everything: ContactSource = {
  ...nothing,
  ...{ supportEmail: 'help&co@shop.example', supportPhone: '+49 (0)30 123456' },
  website: 'https://www.shop.example/',
  imprintUrl: 'https://shop.example/imprint',
  termsUrl: 'https://shop.example/terms',
  privacyUrl: 'https://shop.example/privacy',
};

test('a company without an identity has no contact', () => {
  assert.deepEqual(contactItems(nothing, 'en'), []);
});

test('the items come in one order, with the words of the customer’s language', () => {
  const shown = contactItems(everything, 'de').map(({ text, href }) => [text, href]);
  assert.deepEqual(shown, [
    ['help&co@shop.example', 'mailto:help%26co@shop.example'],
    ['+49 (0)30 123456', 'tel:+4930123456'],
    ['www.shop.example', 'https://www.shop.example/'],
    ['Impressum', 'https://shop.example/imprint'],
    ['AGB', 'https://shop.example/terms'],
    ['Datenschutz', 'https://shop.example/privacy'],
  ]);
});

test('a number without a country code gets that of the company', () => {
  assert.equal(supportItems({ ...nothing, supportPhone: '030 901820' })[0]?.href, 'tel:+4930901820');
  assert.equal(supportItems({ ...nothing, supportPhone: '115' })[0]?.href, 'tel:115');
});
