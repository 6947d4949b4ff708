// How a command fails: the exit codes, and the error that carries one.

/** The exit codes of the process. `--help` and the documents show them with their meanings. */
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
  0: 'success',
  1: 'a check found a problem, or the action failed',
  2: 'invalid usage: a command, an option or a setting',
  3: 'not logged in, or the login has expired',
  4: 'the service rejected the request; its error code is printed',
  5: 'the service could not be reached',
};

/** What `--json` prints about an error. */
export type CommandErrorDetails = {
  code: string;
  status?: number;
  requestId?: string;
  errors?: readonly { field: string; code: string; detail: string }[];
};

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

export function usageError(message: string): CommandError {
  return new CommandError(exitCodes.usage, message);
}

export type Environment = Readonly<Record<string, string | undefined>>;
