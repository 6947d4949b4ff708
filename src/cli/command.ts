// What a command of the command line is: a row of the table from which parsing, help, completion and the
// documents are made. Must not: know a single command by name.

import { type Environment, type ExitCode, usageError } from './command-error.ts';
import type { Terminal } from './terminal.ts';

/** An option of a command. Without `value` it is a switch. */
export type OptionSpec = {
  name: string;
  short?: string;
  /** The placeholder for its value in the help, in capitals. */
  value?: string;
  help: string;
  isRequired?: boolean;
  isRepeatable?: boolean;
  choices?: readonly string[];
};

/** An argument. Only the last one may be optional. */
export type ArgumentSpec = {
  name: string;
  help: string;
  choices?: readonly string[];
  isOptional?: boolean;
};

/** The options and arguments of a call, checked against the command's row. */
export type ParsedArguments = {
  argument(name: string): string;
  /** The value of an optional argument. */
  optionalArgument(name: string): string | undefined;
  /** The value of a required option. */
  required(name: string): string;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  has(name: string): boolean;
};
export type CommandContext = { terminal: Terminal; env: Environment };

export type Command = {
  /** Its words: `payments create`. */
  name: string;
  /** Earlier names. They work, but help and completion do not offer them. */
  earlierNames?: readonly string[];
  summary: string;
  /** Sentences for its own help and the documents. */
  details?: string;
  arguments?: readonly ArgumentSpec[];
  options?: readonly OptionSpec[];
  /** What follows `paylink ` in each example. */
  examples: readonly string[];
  run(context: CommandContext, given: ParsedArguments): Promise<ExitCode>;
};

/** The values of the given options, under the names of the fields that they fill. */
export function fieldsOf<Field extends string>(
  given: ParsedArguments,
  fields: Readonly<Record<string, Field>>,
): Partial<Record<Field, string>> {
  const filled = Object.entries(fields).filter(([option]) => given.has(option));
  return Object.fromEntries(filled.map(([option, field]) => [field, given.text(option)])) as Partial<
    Record<Field, string>
  >;
}

/** The whole number of an option. Throws a usage error outside the range. */
export function readCount(
  given: ParsedArguments,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw usageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}
