// The login of commands: the stored one, overridden by variables. Must not: send credentials to another service.

import { systemClock } from '../base/clock.ts';
import type { CommandContext, OptionSpec, ParsedArguments } from './command.ts';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';
import { readEntries, writeEntries } from './config-folder.ts';

export type CliSession = {
  url: string;
  email: string;
  accountId: string;
  roles: string[];
  companyId: string;
  apiKey: string;
  token: string;
  expiresAt: string;
  /** The mode of the API key. Earlier versions did not store it. */
  mode?: Mode | undefined;
};

/** A service key stands alone: no account is logged in. */
export type ServiceKeyLogin = { url: string; serviceKey: string };
export type StoredLogin = CliSession | ServiceKeyLogin;

export const profileOption: OptionSpec = {
  name: 'profile',
  value: 'NAME',
  help: 'the stored login to use; default: PAYLINK_PROFILE, else "default"',
};

const fileName = 'credentials.json';

export const defaultUrl = 'http://localhost:3000';

export function profileName(env: Environment, given: string | undefined): string {
  const name = given ?? (env.PAYLINK_PROFILE || 'default');
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw usageError(`A profile name has only letters, digits and . _ -, not "${name}".`);
}

/** Without a slash at its end. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash)
    return url.href.replace(/\/+$/, '');
  throw usageError(`"${text}" is not an address like https://pay.example.com.`);
}

/** The login stored under a profile, or null. */
export async function readProfile(env: Environment, profile: string): Promise<StoredLogin | null> {
  const profiles = await readEntries<StoredLogin>(env, fileName);
  return (Object.hasOwn(profiles, profile) && profiles[profile]) || null;
}

export async function saveProfile(env: Environment, profile: string, login: StoredLogin): Promise<void> {
  await writeEntries(env, fileName, { ...(await readEntries(env, fileName)), [profile]: login });
}

export async function deleteProfile(env: Environment, profile: string): Promise<void> {
  const { [profile]: _, ...others } = await readEntries<StoredLogin>(env, fileName);
  await writeEntries(env, fileName, others);
}

export function notLoggedIn(reason: string): CommandError {
  return new CommandError(exitCodes.notLoggedIn, `${reason} Log in with: paylink login`);
}

const serviceKeyForm = /^pls_(test|live)_[0-9a-z]{16}_[0-9a-f]{64}$/;

/** Throws a usage error for another form. It does not repeat the text, which may be another secret. */
export function readServiceKey(text: string, where: string): string {
  const key = text.trim();
  if (serviceKeyForm.test(key)) return key;
  throw usageError(`${where} is not a whole service key. One begins with pls_test_ or pls_live_.`);
}

export const modeOfServiceKey = (serviceKey: string): Mode =>
  serviceKey.startsWith('pls_live_') ? 'live' : 'test';

/** PAYLINK_SERVICE_KEY, else a stored service key for the same service, if the environment names no other credentials. */
function findServiceKey(
  env: Environment,
  stored: StoredLogin | null,
  url: string | undefined,
): ServiceKeyLogin | null {
  if (env.PAYLINK_SERVICE_KEY) {
    const serviceKey = readServiceKey(env.PAYLINK_SERVICE_KEY, 'PAYLINK_SERVICE_KEY');
    return { url: url ?? defaultUrl, serviceKey };
  }
  const { PAYLINK_EMAIL, PAYLINK_TOKEN, PAYLINK_API_KEY, PAYLINK_COMPANY_ID } = env;
  const hasOthers = Boolean(PAYLINK_EMAIL || PAYLINK_TOKEN || PAYLINK_API_KEY || PAYLINK_COMPANY_ID);
  return stored && 'serviceKey' in stored && stored.url === url && !hasOthers ? stored : null;
}

/** The stored login, overridden by the environment, if both are for the same service. */
function readParts(
  env: Environment,
  stored: CliSession | null,
  url: string | undefined,
): Partial<CliSession> {
  const overrides: Partial<CliSession> = {
    ...(url ? { url } : {}),
    ...(env.PAYLINK_EMAIL ? { email: env.PAYLINK_EMAIL } : {}),
    ...(env.PAYLINK_TOKEN ? { token: env.PAYLINK_TOKEN, expiresAt: '' } : {}),
    ...(env.PAYLINK_API_KEY ? { apiKey: env.PAYLINK_API_KEY } : {}),
    ...(env.PAYLINK_COMPANY_ID ? { companyId: env.PAYLINK_COMPANY_ID } : {}),
  };
  const isSameService = stored?.url === url;
  // If the environment names another account, nothing of the stored one applies.
  const isSameAccount = !env.PAYLINK_EMAIL || env.PAYLINK_EMAIL === stored?.email;
  return isSameService && isSameAccount ? { ...stored, ...overrides } : overrides;
}

/** The address of the service: PAYLINK_URL, else that of the stored login, else the default. */
export async function readServiceUrl(env: Environment, given: string | undefined): Promise<string> {
  if (env.PAYLINK_URL) return readUrl(env.PAYLINK_URL);
  return (await readProfile(env, profileName(env, given)))?.url ?? defaultUrl;
}

export const modes = ['test', 'live'] as const;
export type Mode = (typeof modes)[number];

/** The option of commands that choose between test and live. */
export const modeOption = (help: string): OptionSpec => ({
  name: 'mode',
  value: 'MODE',
  help,
  choices: modes,
});

export const modeOf = (given: ParsedArguments): Mode | undefined =>
  modes.find((mode) => mode === given.text('mode'));

/** The login of an account, if it is one. */
export const accountOf = (stored: StoredLogin | null): CliSession | null =>
  stored && !('serviceKey' in stored) ? stored : null;

/** Logs in with a password. Without a mode, the company's setting determines it. */
export type LogIn = (login: {
  url: string;
  email: string;
  password: string;
  mode?: Mode | undefined;
  /** The key of an earlier login of the account, by which the service recognises the client. */
  apiKey?: string | undefined;
}) => Promise<CliSession>;

/** The service key of the environment, else of the profile. Throws a CommandError without one: it never logs in. */
export async function openServiceKey(
  { env }: Pick<CommandContext, 'env'>,
  given: string | undefined,
): Promise<ServiceKeyLogin> {
  const stored = await readProfile(env, profileName(env, given));
  const url = env.PAYLINK_URL ? readUrl(env.PAYLINK_URL) : stored?.url;
  const serviceKey = findServiceKey(env, stored, url);
  if (serviceKey) return serviceKey;
  throw new CommandError(
    exitCodes.notLoggedIn,
    'This command needs a service key. Set PAYLINK_SERVICE_KEY, or store one with: paylink login --service-key',
  );
}

/** A service key, or the login of an account. PAYLINK_PASSWORD with PAYLINK_EMAIL (or the stored address) makes a new login, which is not stored. */
export async function openSession(
  { env }: Pick<CommandContext, 'env'>,
  given: string | undefined,
  logIn: LogIn,
): Promise<StoredLogin> {
  const profile = profileName(env, given);
  const stored = await readProfile(env, profile);
  const urlOfEither = env.PAYLINK_URL ? readUrl(env.PAYLINK_URL) : stored?.url;
  const serviceKey = findServiceKey(env, stored, urlOfEither);
  if (serviceKey) return serviceKey;
  const parts = readParts(env, accountOf(stored), urlOfEither);
  const { token, apiKey, companyId, url = defaultUrl, email } = parts;
  const hasEnded =
    Boolean(parts.expiresAt) && Date.parse(parts.expiresAt ?? '') <= systemClock.now().getTime();
  if (token && apiKey && companyId && !hasEnded)
    return { accountId: '', roles: [], expiresAt: '', email: '', ...parts, url, token, apiKey, companyId };
  // A renewed login keeps its mode, even if the company has changed its setting.
  const { mode } = parts;
  if (email && env.PAYLINK_PASSWORD)
    return await logIn({ url, email, mode, apiKey, password: env.PAYLINK_PASSWORD });
  if (token && hasEnded) throw notLoggedIn(`The login of ${email ?? 'this profile'} has expired.`);
  throw notLoggedIn(
    `You are not logged in${profile === 'default' ? '' : ` under the profile "${profile}"`}.`,
  );
}
