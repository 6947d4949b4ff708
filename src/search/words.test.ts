// The words of payments and of searches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  foldText,
  maxSearchedWords,
  maxWords,
  searchedWords,
  type WordSource,
  wordsOfPayment,
} from './words.ts';

const payment: WordSource = {
  customerOrderId: 'Order-7731',
  email: 'ada.lovelace@Example.com',
  firstName: 'Jörg',
  lastName: "O'Hara",
  description: 'Straße 5, 1,5 kg',
  amountMinor: 24_990,
  currency: 'EUR',
  cardLast4: '4242',
};

const finds = (source: WordSource, text: string) => {
  const words = wordsOfPayment(source);
  return searchedWords(text).every((begin) => words.some((word) => word.startsWith(begin)));
};

test('a payment has the words of its texts, its amount and the last digits of its card', () => {
  assert.deepEqual(wordsOfPayment(payment), [
    ...['order-7731', '7731'],
    ...['ada.lovelace@example.com', 'lovelace@example.com', 'example.com'],
    ...['249.90', '4242', 'jorg', "o'hara", 'hara', 'strasse', '5,', '1.5', 'kg'],
  ]);
});

test('the beginning of each word finds the payment, in any case, with or without accents', () => {
  for (const text of [
    'JÖRG',
    'jorg',
    'jo',
    'hara',
    "o'h",
    'strasse',
    'STRAẞE',
    'Lovelace@',
    'example.c',
    '773',
  ])
    assert.ok(finds(payment, text), text);
  for (const text of ['org', 'ovelace', 'xample']) assert.ok(!finds(payment, text), text);
});

test('an amount is found with a point or a comma, while it is typed, and by its whole part', () => {
  for (const text of ['249.90', '249,90', '249,9', '249,', '249.', '249', '24'])
    assert.ok(finds(payment, text), text);
  for (const text of ['49.90', '249.91', '90']) assert.ok(!finds(payment, text), text);
});

test('several words must all be found, in any order', () => {
  assert.ok(finds(payment, 'hara 249,90  jorg'));
  assert.ok(!finds(payment, 'hara 250'));
});

test('other scripts are folded where they have case or the same accents', () => {
  for (const [written, searched] of [
    ['ΟΔΟΣ', 'οδός'],
    ['Юлия', 'ЮЛИЯ'],
    ['Nguyễn', 'nguyen'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['Ærø', 'aero'],
    ['ﬁne', 'fine'],
    ['שרה', 'שרה'],
    ['한글', '한'],
  ] as const)
    assert.ok(finds({ ...payment, lastName: written }, searched), written);
});

test('a UUID is one word', () => {
  const customerOrderId = '7D9F3C8E-4f57-4a6b-9a51-0c7a2f1f8b11';
  assert.deepEqual(wordsOfPayment({ ...payment, customerOrderId }).slice(0, 2), [
    customerOrderId.toLowerCase(),
    'ada.lovelace@example.com',
  ]);
});

test('a search leaves out words that its other words contain, and begins with the longest', () => {
  assert.deepEqual(searchedWords('a Ada adams b'), ['adams', 'b']);
  assert.deepEqual(searchedWords('  '), []);
});

test('any texts give a bounded number of words, which the database can store, and each finds the payment', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 500 });
  fc.assert(
    fc.property(
      text,
      text,
      fc.string({ unit: 'binary', maxLength: 128 }),
      (firstName, description, order) => {
        const customerOrderId = order.toWellFormed();
        const source = { ...payment, firstName, description, customerOrderId };
        const words = wordsOfPayment(source);
        assert.ok(words.length <= maxWords);
        for (const word of words) assert.ok(word.length > 0 && word.length <= 254 && word.isWellFormed());
        const searched = searchedWords(firstName.slice(0, 60)).slice(0, maxSearchedWords);
        if (words.length < maxWords)
          for (const begin of searched) assert.ok(words.some((word) => word.startsWith(begin)));
      },
    ),
  );
});

test('an address with marks that fold into spaces has words that the table can store', () => {
  for (const email of ['a.b´´c@x.com', 'a.o´hara@x.com', '¨.¨¨@´.com']) {
    const words = wordsOfPayment({ ...payment, email });
    assert.ok(
      words.every((word) => /^\S{1,254}$/.test(word)),
      words.join('|'),
    );
  }
  assert.ok(finds({ ...payment, email: 'a.o´hara@x.com' }, 'o´hara@x.com'));
});

test('a search that ends with a comma after a digit finds a text and an amount', () => {
  assert.ok(finds({ ...payment, customerOrderId: 'INV7,a' }, 'INV7,'));
  assert.ok(finds(payment, '249,'));
});

test('folding twice is the same as folding once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(foldText(foldText(text)), foldText(text));
    }),
  );
});
