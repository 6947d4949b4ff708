// The text of the QR code: the rules of the standard, drawn and read back at its limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsQR from 'jsqr';
import encodeQR from 'qr';
import { type EpcTransfer, epcCodeForm, writeEpcCode } from './epc-code.ts';

const transfer: EpcTransfer = {
  holder: 'Kaffeerösterei Nord GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  amountMinor: 24990,
  reference: 'RF18539007547034',
};

/** The code as a banking app reads it. */
function scan(text: string): { text: string; version: number } {
  const rows = encodeQR(text, 'raw', { ecc: epcCodeForm.correction, border: 4, scale: 3 });
  const side = rows.length;
  const pixels = new Uint8ClampedArray(
    rows.flat().flatMap((isDark) => [...Array(3).fill(isDark ? 0 : 255), 255]),
  );
  const found = jsQR.default(pixels, side, side);
  assert.ok(found, 'no code was seen');
  return { text: Buffer.from(found.binaryData).toString(), version: found.version };
}

test('the fields have the order of the standard, and nothing follows the last', () => {
  assert.equal(
    writeEpcCode(transfer),
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nKaffeerösterei Nord GmbH\nDE89370400440532013000\nEUR249.90\n\nRF18539007547034',
  );
  assert.equal(writeEpcCode({ ...transfer, bic: null }).split('\n')[4], '');
});

test('amounts outside the limits of the standard are rejected', () => {
  const amountOf = (amountMinor: number) => writeEpcCode({ ...transfer, amountMinor }).split('\n')[7];
  assert.equal(amountOf(1), 'EUR0.01');
  assert.equal(amountOf(99_999_999_999), 'EUR999999999.99');
  for (const amountMinor of [0, -1, 100_000_000_000, 0.5, Number.NaN])
    assert.throws(() => amountOf(amountMinor), RangeError, String(amountMinor));
});

test('a name cannot inject another field', () => {
  for (const holder of ['A\nDE02120300000000202051', 'A\r', 'A\u0085', '', ' '])
    assert.throws(() => writeEpcCode({ ...transfer, holder }), RangeError, JSON.stringify(holder));
});

test('a name is cut to 70 characters, and the code to 331 bytes', () => {
  assert.ok(writeEpcCode({ ...transfer, holder: '名'.repeat(70) }));
  assert.throws(() => writeEpcCode({ ...transfer, holder: 'x'.repeat(71) }), RangeError);
  assert.throws(() => writeEpcCode({ ...transfer, holder: '𠀀'.repeat(70) }), RangeError);
});

test('a scanner reads the code, and the longest text fits the version of the standard', () => {
  assert.equal(scan(writeEpcCode(transfer)).text, writeEpcCode(transfer));
  const longest = writeEpcCode({
    ...transfer,
    holder: '名'.repeat(70),
    iban: 'MT84MALT011000012345MTLCAST001S',
    amountMinor: 99_999_999_999,
    reference: 'RF18000000000539007547034',
  });
  const seen = scan(longest);
  assert.equal(seen.text, longest);
  assert.ok(seen.version <= epcCodeForm.maxVersion, `version ${seen.version}`);
});

test('without a BIC, only a bank in the EEA gets a code', () => {
  for (const iban of ['CH9300762011623852957', 'GB29NWBK60161331926819', 'MC5811222000010123456789030']) {
    assert.throws(() => writeEpcCode({ ...transfer, iban, bic: null }), RangeError, iban);
    assert.equal(writeEpcCode({ ...transfer, iban }).split('\n')[4], 'COBADEFFXXX');
  }
  for (const iban of ['NO9386011117947', 'LI21088100002324013AA', 'FR1420041010050500013M02606'])
    assert.equal(writeEpcCode({ ...transfer, iban, bic: null }).split('\n')[4], '');
});
