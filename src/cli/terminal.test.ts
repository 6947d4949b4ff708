// What goes to the terminal and what comes from it.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import jsqr from 'jsqr';
import { drawQr } from './qr.ts';
import { formatFields, formatTable } from './table.ts';
import { openTerminal, type Streams, stripControlCharacters } from './terminal.ts';

/** Streams that pretend to be a terminal, and note whether they would echo. */
function createStreams() {
  const modes: boolean[] = [];
  const texts = { out: '', err: '' };
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  stdout.on('data', (chunk) => {
    texts.out += String(chunk);
  });
  stderr.on('data', (chunk) => {
    texts.err += modes.at(-1) ? `{raw}${chunk}` : String(chunk);
  });
  // Of what Node's own streams have, the terminal uses no more than this.
  return { streams: { stdin, stdout, stderr } as unknown as Streams, stdin, modes, texts };
}

describe('asking', () => {
  test('a secret is read key by key with the echo off, and shows up nowhere', async () => {
    const { streams, stdin, modes, texts } = createStreams();
    const terminal = openTerminal(streams, {}, { isJson: false });
    assert.equal(terminal.isInteractive, true);
    const asked = terminal.ask('Password: ', { isSecret: true });
    stdin.write('correkt');
    stdin.write('\u007f\u007f');
    stdin.write('ct horse\r');
    assert.equal(await asked, 'correct horse');
    assert.deepEqual(modes, [true, false]);
    assert.deepEqual(texts, { out: '', err: '{raw}Password: \n' });
  });

  test('Ctrl-C at a question breaks off and turns the echo on again', async () => {
    const { streams, stdin, modes } = createStreams();
    const asked = openTerminal(streams, {}, { isJson: false }).ask('Password: ', { isSecret: true });
    stdin.write('abc\u0003');
    await assert.rejects(asked, /Broken off/);
    assert.deepEqual(modes, [true, false]);
  });

  test('one question after the other is asked, and a line that is no secret is trimmed', async () => {
    const { streams, stdin, texts } = createStreams();
    const terminal = openTerminal(streams, {}, { isJson: false });
    for (const text of ['first', 'second']) {
      const asked = terminal.ask('Name: ');
      stdin.write(` ${text} \r`);
      assert.equal(await asked, text);
    }
    assert.equal(texts.out, '');
  });
});

describe('showing', () => {
  test('colour is for terminals, and not where NO_COLOR or JSON is asked for', () => {
    const paint = (env: Record<string, string>, isJson: boolean) =>
      openTerminal(createStreams().streams, env, { isJson }).paint('red', 'x');
    assert.equal(paint({}, false), '\u001b[31mx\u001b[39m');
    assert.equal(paint({ NO_COLOR: '1' }, false), 'x');
    assert.equal(paint({ TERM: 'dumb' }, false), 'x');
    assert.equal(paint({}, true), 'x');
    const piped = { ...createStreams().streams, stdout: new PassThrough() } as unknown as Streams;
    assert.equal(openTerminal(piped, {}, { isJson: false }).paint('red', 'x'), 'x');
  });

  test('what would steer a terminal is made visible', () => {
    const text = stripControlCharacters('a\u001b[2J\u009b1m\r\nb\u202ec\u2028');
    assert.doesNotMatch(text, /[\p{Cc}\u202e\u2028]/u);
    assert.match(text, /a.*b.*c/);
  });

  const columns = [
    { title: 'ORDER', mayShrink: true },
    { title: 'AMOUNT', isRight: true },
    { title: 'CODE' },
  ];

  test('a table keeps its columns in line, also with letters that are two columns wide', async () => {
    const lines = await formatTable(
      columns,
      [
        ['東京', '1.00 EUR', 'x'],
        ['order-1', '100.00 EUR', 'y'],
      ],
      80,
    );
    assert.deepEqual(lines, [
      'ORDER        AMOUNT  CODE',
      '東京       1.00 EUR  x',
      'order-1  100.00 EUR  y',
    ]);
  });

  test('a table shrinks the columns that may, and cuts no other', async () => {
    const code = 'c'.repeat(30);
    const lines = await formatTable(columns, [['o'.repeat(100), '1.00 EUR', code]], 60);
    for (const line of lines) assert.ok(line.length <= 60, line);
    assert.ok(lines[1]?.endsWith(`  1.00 EUR  ${code}`));
    assert.match(lines[1] ?? '', /^o+… /);
  });

  test('a row is one line, whatever strangers wrote and however narrow the terminal is', async () => {
    const texts = [
      '👩‍👩‍👧‍👦 family 🇩🇪🇺🇸',
      'e\u0301\u0301 a\u200bb',
      'ｗｉｄｅ 東京',
      'a\nb\tc\u2028d',
      '  led  by  blanks ',
      '🫨🪿 \ud800',
      '',
    ];
    for (const width of [10, 30, 60, 120]) {
      const lines = await formatTable(
        columns,
        texts.map((text) => [text.repeat(3), '1.00 EUR', text]),
        width,
      );
      assert.equal(lines.length, texts.length + 1);
      for (const line of lines) assert.doesNotMatch(line, /\p{Cc}/u);
      for (const line of lines.slice(1)) assert.match(line, / 1\.00 EUR/);
    }
  });

  test('fields stand below each other', async () => {
    assert.deepEqual(
      await formatFields([
        ['A', '1'],
        ['Long', '2'],
      ]),
      ['A     1', 'Long  2'],
    );
  });
});

/** Reads a code back from its half blocks: one pixel a module, light where a block is drawn. */
function scan(lines: readonly string[]): string | undefined {
  const bare = lines.map(stripVTControlCharacters);
  const rows = bare.flatMap((line) => [
    [...line].map((block) => block === '█' || block === '▀'),
    [...line].map((block) => block === '█' || block === '▄'),
  ]);
  const scale = 4;
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale];
  const pixels = new Uint8ClampedArray(width * height * 4).map((_, index) => {
    const pixel = Math.floor(index / 4);
    const isLight = rows[Math.floor(pixel / width / scale)]?.[Math.floor((pixel % width) / scale)];
    return index % 4 === 3 || isLight ? 255 : 0;
  });
  return jsqr.default(pixels, width, height)?.data;
}

test('the QR code in half blocks is read back as the link, with colours and without', () => {
  const link = 'https://pay.example.com/pay/yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE';
  for (const hasColour of [true, false]) assert.equal(scan(drawQr(link, { hasColour })), link);
  assert.ok(drawQr(link, { hasColour: true }).every((line) => line.startsWith('\u001b[97;40m')));
});
