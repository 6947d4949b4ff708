// The client of all commands. Turns errors into messages with an exit code. Must not: print a credential.

import {
  createPaylink,
  type Page,
  type Paylink,
  PaylinkApiError,
  PaylinkConnectionError,
  PaylinkError,
  PaylinkTimeoutError,
} from '../../sdk/src/index.ts';
import type { Command, CommandContext, ParsedArguments } from './command.ts';
import { CommandError, type ExitCode, exitCodes } from './command-error.ts';
import { type LogIn, notLoggedIn, openSession, profileOption, type ServiceKeyLogin } from './session.ts';
import { stripControlCharacters } from './terminal.ts';

export type CliClient = Paylink & { url: string };

/** Reads pages until there are `max` items or no more. A page may be short although more follow. */
export async function collect<T>(
  fetchPage: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
  { max, cursor: start }: { max: number; cursor?: string | undefined },
): Promise<Page<T>> {
  const data: T[] = [];
  let cursor = start;
  do {
    const page = await fetchPage({ limit: Math.min(maxPageSize, max - data.length), cursor });
    data.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && data.length < max);
  return { data, nextCursor: cursor ?? null };
}

const maxPageSize = 100;

/** The error codes that a new login fixes. */
const loginErrorCodes: ReadonlySet<string> = new Set([
  'missing_credentials',
  'invalid_token',
  'expired_token',
  'invalid_api_key',
  'invalid_company_id',
  'credentials_mismatch',
  'invalid_service_key',
]);

/** Names the address that did not respond: the client's errors name only the operation. */
const fetchNamingHost: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, init);
  } catch (error) {
    init?.signal?.throwIfAborted();
    const { origin } = new URL(input instanceof Request ? input.url : input);
    throw new Error(`${origin} could not be reached (${reasonOf(error)})`, { cause: error });
  }
};

/** A person waits for the response, so the limits are short. */
const clientDefaults = { timeoutMs: 30_000, deadlineMs: 45_000, fetch: fetchNamingHost };

const endSentence = (text: string) => text.replace(/[.:\s]*$/, '.');

function apiErrorToCommandError(error: PaylinkApiError): CommandError {
  const { code, status, requestId, errors, message } = error;
  if (loginErrorCodes.has(code)) return notLoggedIn(endSentence(message));
  const details = { code, status, errors, ...(requestId ? { requestId } : {}) };
  if (code === 'wrong_login')
    return new CommandError(exitCodes.notLoggedIn, 'The email address or the password is wrong.', details);
  return new CommandError(exitCodes.refused, `Rejected: ${endSentence(message)}`, details);
}

/** The CommandError for an error of the client. Other errors are returned unchanged. */
export function toCommandError(error: unknown): unknown {
  if (error instanceof PaylinkApiError) return apiErrorToCommandError(error);
  if (error instanceof PaylinkTimeoutError) return new CommandError(exitCodes.unreachable, error.message);
  if (error instanceof PaylinkConnectionError) {
    const where = error.cause instanceof Error ? error.cause.message : error.message;
    return new CommandError(exitCodes.unreachable, `${endSentence(where)} Is the service running there?`);
  }
  return error instanceof PaylinkError ? new CommandError(exitCodes.usage, error.message) : error;
}

/** The code, else the message, of an error's cause, else of the error. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code || (cause instanceof Error ? cause.message : String(cause));
}

export function isTransient(error: unknown): boolean {
  if (error instanceof PaylinkApiError) return error.status === 429 || error.status >= 500;
  return error instanceof PaylinkTimeoutError || error instanceof PaylinkConnectionError;
}

/** Logs in. Throws what the published client throws. */
export const logIn: LogIn = async ({ url, email, password, mode, apiKey }) => {
  let headers = new Headers();
  const body = await createPaylink({
    baseUrl: url,
    email,
    password,
    apiKey: apiKey || undefined,
    ...clientDefaults,
  }).request(
    'logIn',
    { body: { email, password, ...(mode === undefined ? {} : { mode }) } },
    {
      onAnswer: (response) => {
        headers = response.headers;
      },
    },
  );
  return {
    url,
    email: body.email,
    accountId: body.accountId,
    roles: body.roles,
    companyId: headers.get('x-company-id') ?? '',
    apiKey: headers.get('x-api-key') ?? '',
    token: body.token,
    expiresAt: body.expiresAt,
    mode: body.mode,
  };
};

/** Logs in by itself if the environment has the password, and again when the token expires. Throws a CommandError. */
export async function openClient(
  context: CommandContext,
  given: ParsedArguments,
  options: { runsLong?: boolean } = {},
): Promise<CliClient> {
  const session = await openSession(context, given.text('profile'), logIn);
  if ('serviceKey' in session) return openServiceKeyClient(session);
  const { url, email, mode, token, apiKey, companyId } = session;
  const { PAYLINK_PASSWORD: password } = context.env;
  const paylink =
    options.runsLong && password && email
      ? createPaylink({ ...clientDefaults, baseUrl: url, email, password, mode, apiKey: apiKey || undefined })
      : createPaylink({ ...clientDefaults, baseUrl: url, credentials: { token, apiKey, companyId } });
  return { ...paylink, url };
}

/** A client that sends the service key alone. */
export function openServiceKeyClient({ url, serviceKey }: ServiceKeyLogin): CliClient {
  return { ...createPaylink({ ...clientDefaults, baseUrl: url, serviceKey }), url };
}

/** What a command prints: JSON, or lines on standard output and notes on standard error. */
export type CommandResult = {
  json: unknown;
  lines: readonly string[];
  notes?: readonly string[];
  exitCode?: ExitCode;
};

export type ClientCall = CommandContext & { client: CliClient; given: ParsedArguments };

/** A command that calls the service. `check` rejects invalid values before a login is required. */
export function clientCommand(
  row: Omit<Command, 'run'> & {
    check?(given: ParsedArguments, context: CommandContext): void;
    run(call: ClientCall): Promise<CommandResult>;
  },
): Command {
  const { check, run, options = [], ...rest } = row;
  return {
    ...rest,
    options: [...options, profileOption],
    run: async (context, given) => {
      check?.(given, context);
      const client = await openClient(context, given);
      const { json, lines, notes = [], exitCode = exitCodes.ok } = await run({ ...context, client, given });
      const { terminal } = context;
      terminal.report({ json, lines: lines.map(stripControlCharacters) });
      if (!terminal.isJson) for (const note of notes) terminal.note(stripControlCharacters(note));
      return exitCode;
    },
  };
}
