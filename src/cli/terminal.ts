// The person, or the program, at the other end: results go to standard output, sentences for people to
// standard error, so that a result can be piped on. Texts of strangers are shown without what would
// steer a terminal. It must never print a secret that it was given to ask for.

import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';
import { CommandError, type Environment, exitCodes, usageError } from './fault.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

export type Terminal = {
  /** Whether results are wanted as JSON. */
  isJson: boolean;
  /** Whether a person can be asked. */
  isInteractive: boolean;
  /** Whether standard output is drawn in colour; `note` decides by standard error. */
  hasColour: boolean;
  /** Columns of a line. */
  width: number;
  /** One line, or several, of the result. */
  print(text: string): void;
  /** The result: one JSON document, or its lines for people. */
  report(result: { json: unknown; lines: readonly string[] }): void;
  /** A sentence for people. */
  note(text: string): void;
  paint(style: Style, text: string): string;
  /** Asks on standard error; a secret is not echoed. Rejects when the person breaks off. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>;
  /** The first line of standard input, for a secret that is piped in. */
  readLine(): Promise<string>;
  /** All of standard input, for several secrets that are piped in; at most 64 KiB. */
  readAll(): Promise<string>;
  /** Aborted by Ctrl-C or a signal to end. */
  signal: AbortSignal;
};

export type Streams = {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
};

const escapes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

const widthOfPipes = 120;

function createSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new Error(`ended by ${name}`)));
  return controller.signal;
}

/** Wires a terminal to the streams of the process. */
export function openTerminal(streams: Streams, env: Environment, wanted: { isJson: boolean }): Terminal {
  const { stdin, stdout, stderr } = streams;
  const hasColour = Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb' && !wanted.isJson;
  const print = (text: string) => void stdout.write(`${text}\n`);
  let signal: AbortSignal | null = null;
  return {
    isJson: wanted.isJson,
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    hasColour,
    width: stdout.columns ?? (Number(env.COLUMNS) || widthOfPipes),
    print,
    report: ({ json, lines }) => print(wanted.isJson ? JSON.stringify(json) : lines.join('\n')),
    note: (text) => void stderr.write(`${text}\n`),
    paint: (style, text) => {
      const [on, off] = escapes[style];
      return hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
    ask: async (question, options = {}) =>
      options.isSecret
        ? await askSecret(stdin as ReadStream, stderr, question)
        : await askLine(streams, question),
    readLine: async () => await readFirstLine(stdin),
    readAll: async () => await readWhole(stdin),
    // Taken only by those who wait: to all others a signal is the end.
    get signal() {
      signal ??= createSignal();
      return signal;
    },
  };
}

const brokenOff = () => new CommandError(exitCodes.found, 'Broken off: nothing was done.');

async function askLine({ stdin, stderr }: Streams, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<never>((_, reject) => {
    lines.once('SIGINT', () => reject(brokenOff()));
    lines.once('close', () => reject(brokenOff()));
  });
  try {
    return (await Promise.race([lines.question(question), closed])).trim();
  } finally {
    closed.catch(() => undefined);
    lines.close();
  }
}

/** Reads keys one by one in raw mode, where the terminal echoes nothing. */
async function askSecret(stdin: ReadStream, stderr: NodeJS.WriteStream, question: string): Promise<string> {
  // The echo goes off before the question shows: some answer at once, or before.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const keys of stdin.iterator({ destroyOnReturn: false })) {
      for (const key of String(keys)) {
        if (key === '\r' || key === '\n' || key === '\u0004') return typed;
        if (key === '\u0003') throw brokenOff();
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split(/\r?\n/)[0] ?? '';
}

const mostOfInput = 64 * 1024;

async function readWhole(stdin: NodeJS.ReadStream): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > mostOfInput) throw usageError('There is too much on standard input.');
  }
  return text;
}

/** A text of strangers on one line, with what would steer a terminal made visible. */
export function stripControlCharacters(text: string): string {
  // Controls, the directions of bidirectional text, and the two separators of lines.
  return text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '\ufffd');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;

/** How many columns a text takes. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}

function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += columnsOf(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

const pad = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** A column of a table; one that may shrink gives way when the terminal is narrow. */
export type Column = { title: string; isRight?: boolean; mayShrink?: boolean };

const narrowest = 8;

/** Rows as lines that fit the width, under a head, as far as the columns that may shrink allow it. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const texts = [columns.map(({ title }) => title), ...rows.map((row) => row.map(stripControlCharacters))];
  const widths = columns.map((_, index) => Math.max(...texts.map((row) => columnsOf(row[index] ?? ''))));
  const gap = 2;
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap * (columns.length - 1);
  while (total() > width) {
    const shrinkable = columns.flatMap(({ mayShrink }, index) =>
      mayShrink && (widths[index] ?? 0) > narrowest ? [index] : [],
    );
    const widest = shrinkable.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return texts.map((row) =>
    row
      .map((text, index) => {
        const shown = fit(text, widths[index] ?? 0);
        const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - columnsOf(shown)));
        return columns[index]?.isRight ? space + shown : shown + space;
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/** Names and values as aligned lines. */
export function formatFields(fields: readonly (readonly [string, string])[]): string[] {
  const columns = Math.max(...fields.map(([name]) => columnsOf(name)));
  return fields.map(([name, value]) => `${pad(name, columns)}  ${stripControlCharacters(value)}`);
}
