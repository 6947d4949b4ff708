// What a command of the command line is: a row of the table that parsing, help, completion and the
// documents are all made from. It must never know a single command by name.

import type { Environment, ExitCode } from './fault.ts';
import type { Terminal } from './terminal.ts';

/** An option of a command. Without `value` it is a switch. */
export type OptionSpec = {
  name: string;
  short?: string;
  /** What stands for its value in the help, in capitals. */
  value?: string;
  help: string;
  isRequired?: boolean;
  isRepeatable?: boolean;
  choices?: readonly string[];
};

export type ArgumentSpec = { name: string; help: string; isRequired: boolean; choices?: readonly string[] };

/** What was given to a command, checked against its row: required options are there, choices are kept. */
export type ParsedArguments = {
  /** The value of an argument that is required. */
  argument(name: string): string;
  optionalArgument(name: string): string | undefined;
  /** The value of an option that is required. */
  required(name: string): string;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  has(name: string): boolean;
};
export type CommandContext = { terminal: Terminal; env: Environment };

export type Command = {
  /** Its words: `pay create`. */
  name: string;
  summary: string;
  /** Sentences for its own help and the documents. */
  details?: string;
  arguments?: readonly ArgumentSpec[];
  options?: readonly OptionSpec[];
  /** What follows `paylink ` in each example. */
  examples: readonly string[];
  run(context: CommandContext, given: ParsedArguments): Promise<ExitCode>;
};
