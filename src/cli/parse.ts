// Parses a command line by the table of commands. Must not: guess; it suggests a known word or option.

import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import type { Command, OptionSpec, ParsedArguments } from './command.ts';
import { usageError } from './command-error.ts';

export const globalOptions: readonly OptionSpec[] = [
  { name: 'json', help: 'print the result as JSON' },
  { name: 'help', short: 'h', help: 'print the help of the command' },
];

export type Parsed =
  | { kind: 'help'; words: readonly string[] }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; given: ParsedArguments; isJson: boolean };

type ParseOptions = Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }>;

function toParseOptions(specs: readonly OptionSpec[]): ParseOptions {
  return Object.fromEntries(
    specs.map(({ name, value, isRepeatable, short }) => [
      name,
      {
        type: value ? 'string' : 'boolean',
        // parseArgs would keep the last of several values. checkOption rejects them instead.
        multiple: isRepeatable !== undefined || value !== undefined,
        ...(short ? { short } : {}),
      },
    ]),
  );
}

/** The name that is most similar to what was typed; null if none is similar enough. */
function nearest(typed: string, names: readonly string[]): string | null {
  const found = names.length > 0 ? closest(typed, names) : '';
  return found && distance(typed, found) <= Math.max(2, typed.length / 3) ? found : null;
}

/** The words that are neither options nor their values: the command and its arguments. */
function readWords(argv: readonly string[], table: readonly Command[]): string[] {
  const all = [...globalOptions, ...table.flatMap(({ options = [] }) => options)];
  const { positionals } = parseArgs({
    args: [...argv],
    options: toParseOptions(all),
    strict: false,
    allowPositionals: true,
  });
  return positionals;
}

function findCommand(words: readonly string[], table: readonly Command[]): Command | undefined {
  const fits = ({ name }: Command) => name.split(' ').every((word, index) => words[index] === word);
  return table.filter(fits).toSorted((a, b) => b.name.length - a.name.length)[0];
}

function refuseWords(words: readonly string[], table: readonly Command[]): never {
  const typed = words.slice(0, 2).join(' ');
  const names = table.map(({ name }) => name);
  if (words.length === 0) throw usageError('The command is missing. See: paylink --help');
  const group = names.filter((name) => name.startsWith(`${words[0]} `));
  if (group.length > 0 && words.length === 1)
    throw usageError(
      `"${words[0]}" needs one more word: ${group.map((name) => name.split(' ')[1]).join(', ')}.`,
    );
  const meant = nearest(typed, names) ?? nearest(words[0] ?? '', names);
  throw usageError(
    `There is no command "${typed}".${meant ? ` Did you mean "${meant}"?` : ''} See: paylink --help`,
  );
}

/** Throws the usage error for an error of parseArgs, with a suggestion for an unknown option. */
function explain(error: unknown, options: readonly OptionSpec[]): never {
  const message = error instanceof Error ? error.message : String(error);
  const typed = /^Unknown option '--?([\w-]+)'/.exec(message)?.[1];
  if (typed === undefined) throw usageError(message);
  const meant = nearest(
    typed,
    options.map(({ name }) => name),
  );
  throw usageError(`Unknown option --${typed}.${meant ? ` Did you mean --${meant}?` : ''}`);
}

function checkOption(spec: OptionSpec, values: readonly string[]): void {
  const { name, isRequired, isRepeatable, choices } = spec;
  if (isRequired && values.length === 0) throw usageError(`--${name} is required.`);
  if (!isRepeatable && values.length > 1) throw usageError(`--${name} was given more than once.`);
  for (const value of values)
    if (choices && !choices.includes(value))
      throw usageError(`--${name} must be one of ${choices.join(', ')}, not "${value}".`);
}

function checkArguments(command: Command, words: readonly string[]): void {
  const specs = command.arguments ?? [];
  for (const [index, { name, choices }] of specs.entries()) {
    const word = words[index];
    if (word === undefined) throw usageError(`${name} is missing: paylink ${command.name} ${name}`);
    if (choices && !choices.includes(word))
      throw usageError(`${name} must be one of ${choices.join(', ')}, not "${word}".`);
  }
  const extra = words[specs.length];
  if (extra !== undefined) throw usageError(`paylink ${command.name} does not take "${extra}".`);
}

function missing(what: string): never {
  throw new Error(`${what} is not in the row of this command`);
}

function readGiven(
  command: Command,
  argv: readonly string[],
): { given: ParsedArguments; values: Set<string> } {
  const specs = [...globalOptions, ...(command.options ?? [])];
  const wordCount = command.name.split(' ').length;
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: toParseOptions(specs),
      allowPositionals: true,
    });
    const given: Record<string, string | boolean | (string | boolean)[] | undefined> = values;
    const texts = (name: string) => [given[name] ?? []].flat().map(String);
    const words = positionals.slice(wordCount);
    const byName = (name: string) => words[(command.arguments ?? []).findIndex((one) => one.name === name)];
    return {
      values: new Set(Object.keys(given)),
      given: {
        argument: (name) => byName(name) ?? missing(name),
        required: (name) => texts(name)[0] ?? missing(name),
        text: (name) => texts(name)[0],
        texts,
        has: (name) => Object.hasOwn(given, name),
      },
    };
  } catch (error) {
    return explain(error, specs);
  }
}

/** Parses the arguments of the process. Throws a CommandError if they are invalid. */
export function parse(argv: readonly string[], table: readonly Command[]): Parsed {
  const words = readWords(argv, table);
  const isHelp = argv.some((arg) => arg === '--help' || arg === '-h');
  if (isHelp || words[0] === 'help') return { kind: 'help', words: words.filter((word) => word !== 'help') };
  if (words.length === 0 && argv.includes('--version')) return { kind: 'version' };
  const command = findCommand(words, table);
  if (!command) return refuseWords(words, table);
  const { given, values } = readGiven(command, argv);
  checkArguments(command, words.slice(command.name.split(' ').length));
  for (const spec of command.options ?? []) if (spec.value) checkOption(spec, given.texts(spec.name));
  return { kind: 'run', command, given, isJson: values.has('json') };
}
