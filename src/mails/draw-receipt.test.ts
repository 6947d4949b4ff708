// The text of a receipt can be extracted from its PDF, in every script, and nothing runs off the page.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { readPdf } from '../../test/harness/smtp-server.ts';
import { drawReceipt } from './draw-receipt.ts';
import type { Receipt } from './email-content.ts';
import { openReceiptRenderer } from './receipt-renderer.ts';
import { graphemesOf, splitRuns } from './text-runs.ts';
import { unpackWoff } from './unpack-woff.ts';
import { wrapText } from './wrap-text.ts';

const receipt: Receipt = {
  locale: 'en',
  title: 'Receipt',
  merchant: 'Café Zürich',
  amount: '€19.99',
  facts: [{ label: 'Customer', value: 'Ada Lovelace' }],
  foot: 'It is not an invoice.',
  warning: null,
  at: new Date('2026-11-21T10:00:00Z'),
};
const withCustomer = (value: string): Receipt => ({ ...receipt, facts: [{ label: 'Customer', value }] });

const names: readonly [script: string, name: string][] = [
  ['Latin with every kind of mark', 'Łukasz Đặng Þór Ñuñez Çağrı Šťastný'],
  ['Greek', 'Ελένη Παπαδοπούλου'],
  ['Cyrillic', 'Юлія Їжакевич'],
  ['Armenian and Georgian', 'Արամ ქართული'],
  ['Hebrew', 'שלום'],
  ['Arabic', 'محمد'],
  ['Chinese', '王小明'],
  ['Japanese', '山田 たろう'],
  ['Korean', '김철수'],
  ['Devanagari', 'राम'],
  ['Thai', 'สมชาย'],
  ['emoji', 'Ada 😀'],
];
for (const [script, name] of names)
  test(`a name in ${script} is drawn and its text can be extracted`, async () => {
    const text = await readPdf(drawReceipt(withCustomer(name)));
    assert.ok(text.normalize('NFKC').includes(name.normalize('NFKC')), text);
  });

/** The objects of a PDF without its streams, and the inflated streams. */
function partsOf(pdf: Uint8Array): { objects: string; streams: string[] } {
  const file = Buffer.from(pdf).toString('latin1');
  const streams: string[] = [];
  const objects = file.replace(/stream\n(.*?)\nendstream/gs, (_, bytes: string) => {
    streams.push(inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1'));
    return '';
  });
  return { objects, streams };
}

test('a strict parser accepts every receipt, and every number in it is valid', async () => {
  for (const [script, name] of names) {
    const pdf = drawReceipt(withCustomer(name));
    const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true, updateMetadata: false });
    assert.equal(document.getPageCount(), 1, script);
    const { objects, streams } = partsOf(pdf);
    const heights = [...objects.matchAll(/\/(?:Ascent|Descent|CapHeight|ItalicAngle) (\S+)/g)];
    assert.ok(heights.length >= 4, script);
    for (const [entry, value] of heights)
      assert.match(value ?? '', /^-?\d+(?:\.\d+)?$/, `${script}: ${entry}`);
    for (const [, value] of objects.matchAll(/\/CapHeight (\S+)/g)) assert.ok(Number(value) > 0, script);
    const [content = ''] = streams;
    assert.doesNotMatch(objects + content, /NaN|undefined|Infinity|null/, script);
  }
});

test('an earlier receipt does not break text extraction from the next one', async () => {
  drawReceipt(withCustomer('ÉŠÝ'));
  assert.match(await readPdf(drawReceipt(withCustomer('ESY'))), /ESY/);
});

test('every common letter can be extracted, whatever is next to it', async () => {
  const ranges = [
    [0x20, 0x7e],
    [0xa1, 0xac],
    [0xae, 0xff],
    [0x100, 0x17f],
    [0x384, 0x3ce],
    [0x400, 0x45f],
  ] as const;
  for (const [first, last] of ranges) {
    const letters = Array.from({ length: last - first + 1 }, (_, index) =>
      String.fromCodePoint(first + index),
    ).filter((letter) => /\p{Assigned}/u.test(letter));
    // Pairs with a kerned letter, and ligatures of the font.
    const value = letters.map((letter) => `${letter}A${letter}`).join('');
    const text = await readPdf(drawReceipt(withCustomer(`office fluff ${value}`)));
    const plain = (some: string) => some.normalize('NFKC').replace(/\s/gu, '');
    assert.ok(plain(text).includes(plain(`office fluff ${value}`)), `${first.toString(16)}: ${text}`);
  }
});

test('a receipt with common letters is valid and smaller than 40 kB', () => {
  const bytes = Buffer.from(drawReceipt(withCustomer('Łukasz Ünsal')));
  assert.ok(bytes.length < 40_000, `${bytes.length} bytes`);
  const file = bytes.toString('latin1');
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  assert.equal(file.slice(table, table + 5), 'xref\n');
  const places = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  assert.equal(places.length, 10, 'a catalogue, a page and one font');
  for (const [index, place] of places.entries())
    assert.equal(file.slice(place, place + `${index + 1} 0 obj`.length), `${index + 1} 0 obj`);
  for (const [whole, length] of file.matchAll(/\/Length (\d+)[^\n]*\nstream\n/g)) {
    const end = file.indexOf(whole) + whole.length + Number(length);
    assert.equal(file.slice(end, end + 10), '\nendstream');
  }
});

test('a character that no font has becomes the replacement character', async () => {
  const text = await readPdf(drawReceipt(withCustomer('Ada \u{10FFFD} Lovelace')));
  assert.match(text, /Ada \uFFFD Lovelace/);
});

test('the same receipt gives the same bytes, in this thread and in the worker thread', async () => {
  const renderer = openReceiptRenderer();
  const [first, second, rendered] = [
    drawReceipt(receipt),
    drawReceipt(receipt),
    await renderer.render(receipt),
  ];
  await renderer.close();
  assert.ok(Buffer.from(first).equals(second));
  assert.ok(Buffer.from(first).equals(rendered));
});

/** The niceness of each thread of this process: the 19th field of its line. */
function nicenessOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const line = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(line.replace(/^.*\) /s, '').split(' ')[16]);
  });
}

if (process.platform === 'linux')
  test('the worker thread has a lower priority than the others', async () => {
    const before = nicenessOfThreads();
    const renderer = openReceiptRenderer();
    await renderer.render(receipt);
    const added = nicenessOfThreads().filter((niceness) => niceness > 0);
    assert.equal(before.filter((niceness) => niceness > 0).length, 0);
    assert.equal(added.length, 1);
    await renderer.close();
  });

test('a receipt that cannot be drawn does not affect the next one', async () => {
  const renderer = openReceiptRenderer();
  const broken = { ...receipt, facts: null } as unknown as Receipt;
  await assert.rejects(renderer.render(broken), /could not be drawn/);
  assert.match(await readPdf(await renderer.render(receipt)), /Ada Lovelace/);
  await renderer.close();
  const closed = assert.rejects(renderer.render(receipt), /closed/);
  await renderer.close();
  await closed;
});

test('a text of 10,000 characters is truncated to one page, and markup is text', async () => {
  const bytes = drawReceipt({
    ...withCustomer(`<b>${'W'.repeat(10_000)}</b>`),
    merchant: 'word '.repeat(2000),
    warning: 'TEST – no real money moves',
  });
  const text = await readPdf(bytes);
  assert.match(text, /<b>WWW/);
  assert.match(text, /W…/);
  assert.match(text, /TEST – no real money moves/);
  assert.match(text, /It is not an invoice\./);
  assert.equal(
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)?.length,
    1,
  );
});

const latinOnly = { hasGlyphForCodePoint: (codePoint: number) => codePoint < 0x250 };
const all = { hasGlyphForCodePoint: (codePoint: number) => codePoint !== 0x200d && codePoint < 0x1f000 };

test('a text is split by the first font that has each character, and right-to-left words keep their order', () => {
  const shape = (text: string) =>
    splitRuns(text, [latinOnly, all]).map(({ text: part, fontIndex, isRightToLeft }) => [
      part,
      fontIndex,
      isRightToLeft,
    ]);
  assert.deepEqual(shape('Ada 王!'), [
    ['Ada ', 0, false],
    ['王', 1, false],
    ['!', 0, false],
  ]);
  assert.deepEqual(shape('a שלום עולם 12'), [
    ['a ', 0, false],
    // The space is from another font, and the first word is furthest right.
    ['עולם', 1, true],
    [' ', 0, true],
    ['שלום', 1, true],
    [' 12', 0, false],
  ]);
  assert.deepEqual(shape('क्\u200dष'), [['क्ष', 1, false]], 'an invisible character needs no replacement');
  assert.deepEqual(
    shape('😀'),
    [['\uFFFD', 0, false]].map(([, ...rest]) => ['\uFFFD', ...rest]),
  );
});

test('the fast path splits graphemes like Intl.Segmenter', () => {
  const all = Array.from({ length: 0x2100 }, (_, codePoint) => String.fromCodePoint(codePoint));
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  for (const character of all) {
    for (const text of [`a${character}`, `${character}a`, `${character}${character}`]) {
      const segments = Array.from(segmenter.segment(text), ({ segment }) => segment);
      assert.deepEqual(graphemesOf(text), segments, JSON.stringify(text));
    }
  }
});

test('lines break at spaces, long words inside, and no line is wider than allowed', () => {
  const one = () => 1;
  assert.deepEqual(wrapText('aa bb cc', { width: 5, maxLines: 9 }, one), ['aa bb', 'cc']);
  assert.deepEqual(wrapText('aaaaaaa b', { width: 3, maxLines: 9 }, one), ['aaa', 'aaa', 'a b']);
  assert.deepEqual(wrapText('', { width: 3, maxLines: 9 }, one), ['']);
  assert.deepEqual(wrapText('aaaaaaa', { width: 3, maxLines: 2 }, one), ['aaa', 'aa…']);
  assert.deepEqual(wrapText('👨‍👩‍👧👨‍👩‍👧', { width: 1, maxLines: 9 }, one), ['👨‍👩‍👧', '👨‍👩‍👧']);
});

test('a WOFF font is unpacked to its original tables, and anything else is refused', () => {
  const { resolve } = createRequire(import.meta.url);
  const packed = readFileSync(resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff'));
  const plain = unpackWoff(packed);
  for (let index = 0; index < plain.readUInt16BE(4); index++) {
    const at = 12 + index * 16;
    const [tag, checksum, offset, length] = [
      plain.toString('latin1', at, at + 4),
      ...[4, 8, 12].map((step) => plain.readUInt32BE(at + step)),
    ] as [string, number, number, number];
    // The checksum of the head table counts its own field as 0.
    if (tag === 'head') continue;
    let sum = 0;
    const table = Buffer.concat([plain.subarray(offset, offset + length), Buffer.alloc(3)]);
    for (let place = 0; place < length; place += 4) sum = (sum + table.readUInt32BE(place)) >>> 0;
    assert.equal(sum, checksum, `table ${tag}`);
  }
  assert.throws(() => unpackWoff(plain), /WOFF/);
});
