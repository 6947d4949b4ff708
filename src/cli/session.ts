// Who the command line speaks for: what `paylink login` kept, with variables of the environment above
// it. It must never send what was kept for one service to another.

import { systemClock } from '../base/clock.ts';
import type { CommandContext, OptionSpec, ParsedArguments } from './command.ts';
import { readEntries, writeEntries } from './config-folder.ts';
import { CommandError, type Environment, exitCodes, usageError } from './fault.ts';

/** A login, as it is kept under a profile. */
export type CliSession = {
  url: string;
  email: string;
  accountId: string;
  roles: string[];
  companyId: string;
  apiKey: string;
  token: string;
  expiresAt: string;
  /** That of the API key; unknown of a login that an earlier version kept. */
  mode?: Mode | undefined;
};

/** Every command that asks the service takes it. */
export const profileOption: OptionSpec = {
  name: 'profile',
  value: 'NAME',
  help: 'which login to use; PAYLINK_PROFILE, else "default"',
};

const fileName = 'credentials.json';

export const defaultUrl = 'http://localhost:3000';

/** The profile that is meant. */
export function profileName(env: Environment, given: string | undefined): string {
  const name = given ?? (env.PAYLINK_PROFILE || 'default');
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw usageError(`A profile is named by letters, digits and . _ - only, not "${name}".`);
}

/** The address of a service, without a slash at its end. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash)
    return url.href.replace(/\/+$/, '');
  throw usageError(`"${text}" is not an address like https://pay.example.com.`);
}

/** What was kept under a profile; null when nothing was. */
export async function readProfile(env: Environment, profile: string): Promise<CliSession | null> {
  const profiles = await readEntries<CliSession>(env, fileName);
  return (Object.hasOwn(profiles, profile) && profiles[profile]) || null;
}

/** Keeps a login under a profile. */
export async function saveProfile(env: Environment, profile: string, session: CliSession): Promise<void> {
  await writeEntries(env, fileName, { ...(await readEntries(env, fileName)), [profile]: session });
}

/** Forgets a profile. */
export async function deleteProfile(env: Environment, profile: string): Promise<void> {
  const { [profile]: _, ...others } = await readEntries<CliSession>(env, fileName);
  await writeEntries(env, fileName, others);
}

/** The fault of somebody who has no login, or none that is still good. */
export function notLoggedIn(reason: string): CommandError {
  return new CommandError(exitCodes.notLoggedIn, `${reason} Log in with: paylink login`);
}

/** The kept login under what the environment says, as far as both are for one service. */
async function readParts(env: Environment, profile: string): Promise<Partial<CliSession>> {
  const stored = await readProfile(env, profile);
  const url = env.PAYLINK_URL ? readUrl(env.PAYLINK_URL) : stored?.url;
  const own: Partial<CliSession> = {
    ...(url ? { url } : {}),
    ...(env.PAYLINK_EMAIL ? { email: env.PAYLINK_EMAIL } : {}),
    ...(env.PAYLINK_TOKEN ? { token: env.PAYLINK_TOKEN, expiresAt: '' } : {}),
    ...(env.PAYLINK_API_KEY ? { apiKey: env.PAYLINK_API_KEY } : {}),
    ...(env.PAYLINK_COMPANY_ID ? { companyId: env.PAYLINK_COMPANY_ID } : {}),
  };
  const isOfThis = stored !== null && stored.url === url;
  // Another account of the environment takes nothing of the one that was kept.
  const isSameAccount = !env.PAYLINK_EMAIL || env.PAYLINK_EMAIL === stored?.email;
  return isOfThis && isSameAccount ? { ...stored, ...own } : own;
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

/** What was given for it; its choices were checked. */
export const modeOf = (given: ParsedArguments): Mode | undefined =>
  modes.find((mode) => mode === given.text('mode'));

/** How a login is made of an address and a password; without a mode the company's own setting chooses. */
export type LogIn = (login: {
  url: string;
  email: string;
  password: string;
  mode?: Mode | undefined;
  /** Of an earlier login of the account: the service knows the client by it. */
  apiKey?: string | undefined;
}) => Promise<CliSession>;

/**
 * The login to work with. With PAYLINK_EMAIL (or a kept address) and PAYLINK_PASSWORD a missing or ended
 * one is made anew, for this call alone. Throws a CommandError with exit code 3 when there is none.
 */
export async function openSession(
  { env }: Pick<CommandContext, 'env'>,
  given: string | undefined,
  logIn: LogIn,
): Promise<CliSession> {
  const profile = profileName(env, given);
  const parts = await readParts(env, profile);
  const { token, apiKey, companyId, url = defaultUrl, email } = parts;
  const hasEnded =
    Boolean(parts.expiresAt) && Date.parse(parts.expiresAt ?? '') <= systemClock.now().getTime();
  if (token && apiKey && companyId && !hasEnded)
    return { accountId: '', roles: [], expiresAt: '', email: '', ...parts, url, token, apiKey, companyId };
  // Made anew it stays in its mode, whatever the company has set since.
  const { mode } = parts;
  if (email && env.PAYLINK_PASSWORD)
    return await logIn({ url, email, mode, apiKey, password: env.PAYLINK_PASSWORD });
  if (token && hasEnded) throw notLoggedIn(`The login of ${email ?? 'this profile'} has ended.`);
  throw notLoggedIn(`Nobody is logged in${profile === 'default' ? '' : ` under the profile "${profile}"`}.`);
}
