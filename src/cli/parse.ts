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

const namesOf = ({ name, earlierNames = [] }: Command) => [name, ...earlierNames];

/** The command with the longest name that begins the words, and the number of its words. */
export function findCommand(
  words: readonly string[],
  table: readonly Command[],
): { command: Command; wordCount: number } | undefined {
  const candidates = table.flatMap((command) =>
    namesOf(command).map((name) => ({ command, parts: name.split(' ') })),
  );
  const found = candidates
    .filter(({ parts }) => parts.every((word, index) => words[index] === word))
    .toSorted((a, b) => b.parts.length - a.parts.length)[0];
  return found && { command: found.command, wordCount: found.parts.length };
}

/** The commands that begin with as many of the words as possible, and these words of theirs. */
export function findGroup(
  words: readonly string[],
  table: readonly Command[],
): { group: string; commands: Command[]; wordCount: number } | undefined {
  for (let wordCount = words.length; wordCount > 0; wordCount -= 1) {
    const start = `${words.slice(0, wordCount).join(' ')} `;
    const commands = table.filter((command) => namesOf(command).some((name) => name.startsWith(start)));
    const group = commands[0]?.name.split(' ').slice(0, wordCount).join(' ');
    if (group !== undefined) return { group, commands, wordCount };
  }
  return undefined;
}

function refuseWords(words: readonly string[], table: readonly Command[]): never {
  if (words.length === 0) throw usageError('The command is missing. See: paylink --help');
  const found = findGroup(words, table);
  if (found?.wordCount === words.length) {
    const next = found.commands.map(({ name }) => name.split(' ')[found.wordCount]);
    throw usageError(`"${words.join(' ')}" needs one more word: ${[...new Set(next)].join(', ')}.`);
  }
  const typed = words.slice(0, Math.max(2, (found?.wordCount ?? 0) + 1)).join(' ');
  const names = table.flatMap(namesOf);
  const meant = nearest(typed, names) ?? nearest(words[0] ?? '', names);
  const current = meant === null ? undefined : findCommand(meant.split(' '), table)?.command.name;
  throw usageError(
    `There is no command "${typed}".${current ? ` Did you mean "${current}"?` : ''} See: paylink --help`,
  );
}

/** Throws the usage error for an error of parseArgs, with a suggestion for an unknown option. */
function explain(error: unknown, options: readonly OptionSpec[]): never {
  const message = error instanceof Error ? error.message : String(error);
  const typed = /^Unknown option '--?([\w-]+)'/.exec(message)?.[1];
  const valued = /^Option '(?:-\w, )?--([\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1];
  if (valued !== undefined)
    throw usageError(`--${valued} needs a value. Write one that begins with "-" as --${valued}=VALUE.`);
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
  for (const [index, { name, choices, isOptional }] of specs.entries()) {
    const word = words[index];
    if (word === undefined && isOptional) continue;
    if (word === undefined) {
      const all = specs.map((spec) => (spec.isOptional ? `[${spec.name}]` : spec.name));
      throw usageError(`${name} is missing: paylink ${command.name} ${all.join(' ')}`);
    }
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
  wordCount: number,
  argv: readonly string[],
): { given: ParsedArguments; values: Set<string> } {
  const specs = [...globalOptions, ...(command.options ?? [])];
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
        optionalArgument: byName,
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

/** Parses the arguments of the process; none ask for help. Throws a CommandError if they are invalid. */
export function parse(argv: readonly string[], table: readonly Command[]): Parsed {
  if (argv.length === 0) return { kind: 'help', words: [] };
  const words = readWords(argv, table);
  const isHelp = argv.some((arg) => arg === '--help' || arg === '-h');
  if (isHelp || words[0] === 'help') return { kind: 'help', words: words.filter((word) => word !== 'help') };
  if (words.length === 0 && argv.includes('--version')) return { kind: 'version' };
  const found = findCommand(words, table);
  if (!found) return refuseWords(words, table);
  const { command, wordCount } = found;
  const { given, values } = readGiven(command, wordCount, argv);
  checkArguments(command, words.slice(wordCount));
  for (const spec of command.options ?? []) if (spec.value) checkOption(spec, given.texts(spec.name));
  return { kind: 'run', command, given, isJson: values.has('json') };
}
