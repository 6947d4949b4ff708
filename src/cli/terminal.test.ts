// Prompts, tables and QR codes of the terminal.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import jsqr from 'jsqr';
import { drawQr } from './qr.ts';
import { formatFields, formatTable } from './table.ts';
import { openTerminal, type Streams, stripControlCharacters } from './terminal.ts';

/** Streams that imitate a terminal and record whether it would echo. */
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
  // The terminal uses no other member of Node's streams.
  return { streams: { stdin, stdout, stderr } as unknown as Streams, stdin, modes, texts };
}

describe('asking', () => {
  test('a secret is read key by key without an echo, and never printed', async () => {
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

  test('Ctrl-C at a prompt cancels it and restores the echo', async () => {
    const { streams, stdin, modes } = createStreams();
    const asked = openTerminal(streams, {}, { isJson: false }).ask('Password: ', { isSecret: true });
    stdin.write('abc\u0003');
    await assert.rejects(asked, /Cancelled/);
    assert.deepEqual(modes, [true, false]);
  });

  test('several prompts can follow each other; a line that is not secret is trimmed', async () => {
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
  test('colours are only for terminals, and not with NO_COLOR or JSON', () => {
    const paint = (env: Record<string, string>, isJson: boolean) =>
      openTerminal(createStreams().streams, env, { isJson }).paint('red', 'x');
    assert.equal(paint({}, false), '\u001b[31mx\u001b[39m');
    assert.equal(paint({ NO_COLOR: '1' }, false), 'x');
    assert.equal(paint({ TERM: 'dumb' }, false), 'x');
    assert.equal(paint({}, true), 'x');
    const piped = { ...createStreams().streams, stdout: new PassThrough() } as unknown as Streams;
    assert.equal(openTerminal(piped, {}, { isJson: false }).paint('red', 'x'), 'x');
  });

  test('control characters are replaced', () => {
    const text = stripControlCharacters('a\u001b[2J\u009b1m\r\nb\u202ec\u2028');
    assert.doesNotMatch(text, /[\p{Cc}\u202e\u2028]/u);
    assert.match(text, /a.*b.*c/);
  });

  type Row = [order: string, amount: string, code: string];
  const columns = [
    { title: 'ORDER', isShrinkable: true, text: ([order]: Row) => order },
    { title: 'AMOUNT', isRight: true, text: ([, amount]: Row) => amount },
    { title: 'CODE', text: ([, , code]: Row) => code },
  ];

  test('a table aligns its columns, also with characters of double width', async () => {
    const lines = await formatTable(
      [
        ['東京', '1.00 EUR', 'x'],
        ['order-1', '100.00 EUR', 'y'],
      ],
      columns,
      80,
    );
    assert.deepEqual(lines, [
      'ORDER        AMOUNT  CODE',
      '東京       1.00 EUR  x',
      'order-1  100.00 EUR  y',
    ]);
  });

  test('a table cuts only shrinkable columns', async () => {
    const code = 'c'.repeat(30);
    const lines = await formatTable([['o'.repeat(100), '1.00 EUR', code]], columns, 60);
    for (const line of lines) assert.ok(line.length <= 60, line);
    assert.ok(lines[1]?.endsWith(`  1.00 EUR  ${code}`));
    assert.match(lines[1] ?? '', /^o+… /);
  });

  test('a row is always one line, with any text and on any terminal', async () => {
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
        texts.map((text): Row => [text.repeat(3), '1.00 EUR', text]),
        columns,
        width,
      );
      assert.equal(lines.length, texts.length + 1);
      for (const line of lines) assert.doesNotMatch(line, /\p{Cc}/u);
      for (const line of lines.slice(1)) assert.match(line, / 1\.00 EUR/);
    }
  });

  test('fields are aligned', async () => {
    assert.deepEqual(
      await formatFields([
        ['A', '1'],
        ['Long', '2'],
      ]),
      ['A     1', 'Long  2'],
    );
  });
});

/** Reads a code from its half blocks, which are the light modules. */
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

test('a scanner reads the link from the QR code, with colours and without', () => {
  const link = 'https://pay.example.com/pay/yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE';
  for (const hasColour of [true, false]) assert.equal(scan(drawQr(link, { hasColour })), link);
  assert.ok(drawQr(link, { hasColour: true }).every((line) => line.startsWith('\u001b[97;40m')));
});
