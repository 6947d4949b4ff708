// How a command fails: the exit codes, and the error that carries one.

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

/** What `--json` prints of a fault. */
export type CommandErrorDetails = {
  code: string;
  status?: number;
  requestId?: string;
  errors?: readonly { field: string; code: string; detail: string }[];
};

/** Thrown with the sentence for the person, and the code that the process ends with. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly details: CommandErrorDetails;
  constructor(exitCode: ExitCode, message: string, details?: CommandErrorDetails) {
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
export function usageError(message: string): CommandError {
  return new CommandError(exitCodes.usage, message);
}

export type Environment = Readonly<Record<string, string | undefined>>;
