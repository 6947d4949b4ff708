// Creditor references: generated, checked, and found in typed texts; never corrected.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveReference, findReferences, makeReference, parseReference } from './creditor-reference.ts';
import { formatIban } from './iban.ts';

const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const body = fc
  .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 21 })
  .map((list) => list.join(''));
const ours = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(deriveReference);

test('the check digits of published examples are correct', () => {
  assert.equal(makeReference('539007547034'), 'RF18539007547034');
  assert.equal(makeReference('2348231'), 'RF712348231');
  assert.equal(makeReference('G72UUR'), 'RF45G72UUR');
  assert.equal(makeReference('000000000539007547034'), 'RF18000000000539007547034');
});

test('a body with invalid characters or an invalid length is rejected', () => {
  for (const wrong of ['', 'A'.repeat(22), 'a', 'Ä', '1 2', '1\n'])
    assert.throws(() => makeReference(wrong), RangeError, JSON.stringify(wrong));
});

test('every reference can be parsed, in groups and in lower case', () => {
  fc.assert(
    fc.property(body, (text) => {
      const reference = makeReference(text);
      assert.equal(parseReference(reference), reference);
      assert.equal(parseReference(` ${formatIban(reference).toLowerCase()}\n`), reference);
    }),
  );
});

test('other texts are not parsed as references', () => {
  for (const text of [
    '',
    'RF',
    'RF18',
    'RF19539007547034',
    'XRF18539007547034',
    'RF18 5390-0754-7034',
    `RF18${'0'.repeat(22)}`,
  ])
    assert.equal(parseReference(text), null, text);
});

test('one changed character of a reference is always detected', () => {
  fc.assert(
    fc.property(body, fc.nat(), fc.constantFrom(...characters), (text, index, other) => {
      const reference = makeReference(text);
      const at = 4 + (index % text.length);
      fc.pre(reference[at] !== other);
      // Swapping a digit and a letter shifts the characters before them, which one check cannot always detect.
      fc.pre(/\d/.test(reference[at]!) === /\d/.test(other));
      assert.equal(parseReference(reference.slice(0, at) + other + reference.slice(at + 1)), null);
    }),
  );
});

test('two transposed neighbouring digits are always detected', () => {
  fc.assert(
    fc.property(ours, fc.integer({ min: 2, max: 18 }), (reference, at) => {
      fc.pre(reference[at] !== reference[at + 1]);
      fc.pre(at !== 3);
      const swapped = reference.slice(0, at) + reference[at + 1] + reference[at] + reference.slice(at + 2);
      assert.equal(parseReference(swapped), null);
      assert.deepEqual(findReferences(swapped), []);
    }),
  );
});

test('a seed always gives the same reference: RF and digits, in five groups of four', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 24 }), (seed) => {
      assert.match(deriveReference(seed), /^RF\d{18}$/);
      assert.equal(deriveReference(seed), deriveReference(seed.slice(0, 16)));
    }),
  );
  assert.notEqual(deriveReference(randomBytes(16)), deriveReference(randomBytes(16)));
  assert.throws(() => deriveReference(new Uint8Array(15)), RangeError);
});

test('references are found in the forms that customers and banks write', () => {
  const texts = [
    'RF18 5390 0754 7034',
    'rf18539007547034',
    'Bestellung 4711, RF18 5390\n0754 7034 danke',
    'SVWZ+RF18-5390-0754-7034',
    'Ref.: RF18.5390.0754.7034.',
    'RechnungRF18539007547034',
    'RF18\u00a05390\u202f0754\t7034 RF18 5390 0754 7034',
  ];
  for (const text of texts) assert.deepEqual(findReferences(text), ['RF18539007547034'], text);
});

test('a reference is found anywhere in a text, between any words and line breaks', () => {
  const separator = fc.constantFrom('', ' ', '  ', '\n', '-', '.', '/', '\r\n');
  const words = fc.string({ unit: fc.constantFrom('a', 'Ö', ' ', ',', '4', '\n'), maxLength: 20 });
  fc.assert(
    fc.property(
      ours,
      words,
      words,
      fc.array(separator, { minLength: 20, maxLength: 20 }),
      (reference, before, after, gaps) => {
        const typed = [...reference.toLowerCase()]
          .map((character, index) => character + gaps[index])
          .join('');
        assert.ok(
          findReferences(before + typed + after).includes(reference),
          JSON.stringify(before + typed + after),
        );
      },
    ),
  );
});

test('several references are found in order', () => {
  assert.deepEqual(findReferences('RF71 2348231 und RF18 5390 0754 7034'), [
    'RF712348231',
    'RF18539007547034',
  ]);
  for (const text of ['', 'RF', 'Rechnung 4711', 'RF18 5390 0754 7035', 'SURF18', 'RF1X5390'])
    assert.deepEqual(findReferences(text), [], text);
});

test('a long text of any content is searched in time', () => {
  assert.deepEqual(findReferences('RF18'.repeat(20_000)).slice(1), []);
});
