// The one way to the service: its published client. Here a login becomes such a client, and what it
// throws a sentence with an exit code. It must never show a credential.

import {
  createPaylink,
  type Page,
  type Paylink,
  PaylinkApiError,
  PaylinkConnectionError,
  PaylinkError,
  PaylinkTimeoutError,
} from '../../sdk/src/index.ts';
import type { CommandContext, ParsedArguments } from './command.ts';
import { CommandError, exitCodes } from './fault.ts';
import { type LogIn, notLoggedIn, openSession } from './session.ts';

export type CliClient = Paylink & { url: string };

/** Reads pages until there are `most` entries or no more; a page may hold few and yet have a next one. */
export async function collect<T>(
  fetchPage: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
  options: { most: number; cursor?: string | undefined },
): Promise<Page<T>> {
  const data: T[] = [];
  let { cursor } = options;
  do {
    const page = await fetchPage({ limit: Math.min(maxPageSize, options.most - data.length), cursor });
    data.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && data.length < options.most);
  return { data, nextCursor: cursor ?? null };
}

const maxPageSize = 100;

/** Codes of the service that a new login cures. */
const loginErrorCodes: ReadonlySet<string> = new Set([
  'missing_credentials',
  'invalid_token',
  'expired_token',
  'invalid_api_key',
  'invalid_company_id',
  'credentials_mismatch',
]);

/** Says which address gave no answer: what the client throws names the operation only. */
const fetchSayingWhere: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, init);
  } catch (error) {
    init?.signal?.throwIfAborted();
    const { origin } = new URL(input instanceof Request ? input.url : input);
    throw new Error(`${origin} could not be reached (${reasonOf(error)})`, { cause: error });
  }
};

/** A person waits: an answer that takes longer is none. */
const own = { timeoutMs: 30_000, deadlineMs: 45_000, fetch: fetchSayingWhere };

const endSentence = (text: string) => text.replace(/[.:\s]*$/, '.');

function apiErrorToCommandError(error: PaylinkApiError): CommandError {
  const { code, status, requestId, errors, message } = error;
  if (loginErrorCodes.has(code)) return notLoggedIn(endSentence(message));
  const details = { code, status, errors, ...(requestId ? { requestId } : {}) };
  if (code === 'wrong_login')
    return new CommandError(exitCodes.notLoggedIn, 'The address or the password is wrong.', details);
  return new CommandError(exitCodes.refused, `Refused: ${endSentence(message)}`, details);
}

/** What the published client throws as a sentence with its exit code; all else as it is. */
export function toCommandError(error: unknown): unknown {
  if (error instanceof PaylinkApiError) return apiErrorToCommandError(error);
  if (error instanceof PaylinkTimeoutError) return new CommandError(exitCodes.unreachable, error.message);
  if (error instanceof PaylinkConnectionError) {
    const where = error.cause instanceof Error ? error.cause.message : error.message;
    return new CommandError(exitCodes.unreachable, `${endSentence(where)} Does the service run there?`);
  }
  return error instanceof PaylinkError ? new CommandError(exitCodes.usage, error.message) : error;
}

/** The code or the words of a fault, or of what lies behind it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code || (cause instanceof Error ? cause.message : String(cause));
}

/** Whether a fault says that the service is away for now, so that asking again may help. */
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
    ...own,
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

/**
 * A client for the login of a command. A command that runs for long logs in by itself where the password
 * is in the environment, and anew whenever a token ends. Throws a CommandError when there is no login.
 */
export async function openClient(
  context: CommandContext,
  given: ParsedArguments,
  options: { runsLong?: boolean } = {},
): Promise<CliClient> {
  const session = await openSession(context, given.text('profile'), logIn);
  const { url, email, mode, token, apiKey, companyId } = session;
  const { PAYLINK_PASSWORD: password } = context.env;
  const paylink =
    options.runsLong && password && email
      ? createPaylink({ ...own, baseUrl: url, email, password, mode, apiKey: apiKey || undefined })
      : createPaylink({ ...own, baseUrl: url, credentials: { token, apiKey, companyId } });
  return { ...paylink, url };
}
