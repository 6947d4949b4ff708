// What a command of the command line is: a row of the table that parsing, help, completion and the
// documents are all made from. It must never know a single command by name.

import type { Terminal } from './terminal.ts';

/** What the process ends with. One table, which `--help` and the documents show. */
export const exitCodes = {
  ok: 0,
  found: 1,
  usage: 2,
  notLoggedIn: 3,
  refused: 4,
  unreachable: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'all is well',
  1: 'something was found, or what was asked for did not come about',
  2: 'the command could not be done as it was given: a word, an option, a setting',
  3: 'not logged in, or the login has ended',
  4: 'the service refused; its error code is printed',
  5: 'the service could not be reached',
};

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
export type Given = {
  /** The value of an argument that is required. */
  argument(name: string): string;
  optionalArgument(name: string): string | undefined;
  /** The value of an option that is required. */
  required(name: string): string;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  has(name: string): boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;
export type Context = { terminal: Terminal; env: Environment };

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
  run(context: Context, given: Given): Promise<ExitCode>;
};

/** What `--json` prints of a fault. */
export type FaultDetails = {
  code: string;
  status?: number;
  requestId?: string;
  errors?: readonly { field: string; code: string; detail: string }[];
};

/** Thrown with the sentence for the person, and the code that the process ends with. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
  readonly exitCode: ExitCode;
  readonly details: FaultDetails;
  constructor(exitCode: ExitCode, message: string, details?: FaultDetails) {
    super(message);
    this.exitCode = exitCode;
    this.details = details ?? { code: codeNames[exitCode] };
  }
}

const codeNames: Readonly<Record<ExitCode, string>> = {
  0: 'ok',
  1: 'failed',
  2: 'usage',
  3: 'not_logged_in',
  4: 'refused',
  5: 'unreachable',
};

/** A fault of what was typed or set. */
export function usageFault(message: string): CommandFault {
  return new CommandFault(exitCodes.usage, message);
}
