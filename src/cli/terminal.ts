// Results go to standard output, messages to standard error. Must not: print a secret that the user typed.

import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';
import { styleText } from 'node:util';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';

export type Style = 'bold' | 'red' | 'green' | 'yellow';

export type Terminal = {
  isJson: boolean;
  /** Whether a user can be prompted. */
  isInteractive: boolean;
  /** Whether the result goes to a terminal, and not to a file or another program. */
  isOutputTerminal: boolean;
  hasColour: boolean;
  width: number;
  /** One line, or several, of the result. */
  print(text: string): void;
  /** Bytes of the result, unchanged. */
  write(bytes: Uint8Array): Promise<void>;
  /** The result: one JSON document, or lines of text. */
  report(result: { json: unknown; lines: readonly string[] }): void;
  /** A message on standard error. */
  note(text: string): void;
  paint(style: Style, text: string): string;
  /** Prompts on standard error; a secret is not echoed. Rejects if the user presses Ctrl-C. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>;
  /** The first line of standard input. */
  readLine(): Promise<string>;
  /** All of standard input, at most 64 KiB. */
  readAll(): Promise<string>;
  /** Aborted by Ctrl-C or a signal to end. */
  signal: AbortSignal;
};

export type Streams = {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
};

const nonTerminalWidth = 120;

function createSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new Error(`ended by ${name}`)));
  return controller.signal;
}

export function openTerminal(streams: Streams, env: Environment, wanted: { isJson: boolean }): Terminal {
  const { stdin, stdout, stderr } = streams;
  const hasColour = Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb' && !wanted.isJson;
  const print = (text: string) => void stdout.write(`${text}\n`);
  let signal: AbortSignal | null = null;
  return {
    isJson: wanted.isJson,
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    isOutputTerminal: Boolean(stdout.isTTY),
    hasColour,
    width: stdout.columns ?? (Number(env.COLUMNS) || nonTerminalWidth),
    print,
    write: async (bytes) => await new Promise((resolve) => void stdout.write(bytes, () => resolve())),
    report: ({ json, lines }) =>
      print(wanted.isJson ? escapeControlCharacters(JSON.stringify(json)) : lines.join('\n')),
    note: (text) => void stderr.write(`${text}\n`),
    paint: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
    ask: async (question, options = {}) =>
      options.isSecret
        ? await askSecret(stdin as ReadStream, stderr, question)
        : await askLine(streams, question),
    readLine: async () => await readFirstLine(stdin),
    readAll: async () => await readWhole(stdin),
    // Only commands that wait handle the signals. Any other command ends at once.
    get signal() {
      signal ??= createSignal();
      return signal;
    },
  };
}

const cancelledError = () => new CommandError(exitCodes.found, 'Cancelled: nothing was done.');

async function askLine({ stdin, stderr }: Streams, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<never>((_, reject) => {
    lines.once('SIGINT', () => reject(cancelledError()));
    lines.once('close', () => reject(cancelledError()));
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
  // Switch the echo off before the prompt: some users type at once, or before it.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const keys of stdin.iterator({ destroyOnReturn: false })) {
      for (const key of String(keys)) {
        if (key === '\r' || key === '\n' || key === '\u0004') return typed;
        if (key === '\u0003') throw cancelledError();
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

async function readFirstLine(input: NodeJS.ReadStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

const maxInputLength = 64 * 1024;

async function readWhole(stdin: NodeJS.ReadStream): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > maxInputLength)
      throw usageError('Standard input is too long: it may have at most 64 KiB.');
  }
  return text;
}

/** Control characters, marks of bidirectional text, and the two line separators. */
const controlCharacters = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** Untrusted text on one line. Replaces the characters that could control a terminal. */
export function stripControlCharacters(text: string): string {
  return text.replaceAll(controlCharacters, '\ufffd');
}

/** JSON with these characters as escapes: its value stays the same, and so do the line breaks between its parts. */
export function escapeControlCharacters(json: string): string {
  return json.replaceAll(controlCharacters, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
