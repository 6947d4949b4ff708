// `paylink login` and `paylink logout`. Must not: take a password or a key as an option, which others could see.

import { PaylinkApiError } from '../../sdk/src/index.ts';
import { logIn, openClient, openServiceKeyClient, toCommandError } from './client.ts';
import type { Command, CommandContext, ParsedArguments } from './command.ts';
import { CommandError, type Environment, type ExitCode, exitCodes, usageError } from './command-error.ts';
import {
  accountOf,
  defaultUrl,
  deleteProfile,
  modeOf,
  modeOfServiceKey,
  modeOption,
  profileName,
  profileOption,
  readProfile,
  readServiceKey,
  readUrl,
  type StoredLogin,
  saveProfile,
} from './session.ts';

async function readPassword({ terminal, env }: CommandContext, email: string): Promise<string> {
  if (env.PAYLINK_PASSWORD) return env.PAYLINK_PASSWORD;
  const password = terminal.isInteractive
    ? await terminal.ask(`Password of ${email}: `, { isSecret: true })
    : await terminal.readLine();
  if (password === '')
    throw usageError('The password is missing: set PAYLINK_PASSWORD, or pipe it to standard input.');
  return password;
}

async function readEmail(
  { terminal, env }: CommandContext,
  given: string | undefined,
  stored: string | undefined,
) {
  const email = given ?? (env.PAYLINK_EMAIL || stored);
  if (email) return email;
  if (terminal.isInteractive) return await terminal.ask('Email: ');
  throw usageError('--email is required if standard input is not a terminal.');
}

async function askServiceKey({ terminal, env }: CommandContext): Promise<string> {
  if (env.PAYLINK_SERVICE_KEY) return readServiceKey(env.PAYLINK_SERVICE_KEY, 'PAYLINK_SERVICE_KEY');
  const text = terminal.isInteractive
    ? await terminal.ask('Service key: ', { isSecret: true })
    : await terminal.readLine();
  return readServiceKey(text, 'What you entered');
}

/** Throws unless the service accepts the key. The key need not have a scope for the call. */
async function checkServiceKey(url: string, serviceKey: string): Promise<void> {
  try {
    await openServiceKeyClient({ url, serviceKey }).payments.list({ limit: 1 }).page();
  } catch (error) {
    if (error instanceof PaylinkApiError && error.code === 'scope_not_allowed') return;
    if (error instanceof PaylinkApiError && error.status === 401)
      throw new CommandError(exitCodes.notLoggedIn, `${url} does not accept this service key.`);
    throw error;
  }
}

/** The address of a login: as given, else as before. */
const chooseUrl = (env: Environment, given: ParsedArguments, stored: StoredLogin | null) =>
  readUrl(given.text('url') ?? (env.PAYLINK_URL || stored?.url || defaultUrl));

async function logInWithKey(context: CommandContext, given: ParsedArguments): Promise<ExitCode> {
  const { terminal, env } = context;
  for (const name of ['email', 'mode'])
    if (given.has(name)) throw usageError(`--${name} is for accounts: a service key has its own mode.`);
  const profile = profileName(env, given.text('profile'));
  const url = chooseUrl(env, given, await readProfile(env, profile));
  const serviceKey = await askServiceKey(context);
  await checkServiceKey(url, serviceKey);
  await saveProfile(env, profile, { url, serviceKey });
  const mode = modeOfServiceKey(serviceKey);
  terminal.report({
    json: { profile, url, mode },
    lines: [`Logged in at ${url} with a service key, in ${mode} mode.`],
  });
  return exitCodes.ok;
}

const login: Command = {
  name: 'login',
  summary: 'Log in, and store the login for later commands',
  details:
    'Prompts for the password. Without a terminal, reads it from PAYLINK_PASSWORD or the first line of standard input.\n' +
    'Stores address, token and API key in $XDG_CONFIG_HOME/paylink/credentials.json, which only you can read. With\n' +
    '--service-key it reads a service key in the same way, or from PAYLINK_SERVICE_KEY, and stores it instead.',
  options: [
    {
      name: 'url',
      value: 'URL',
      help: `the address of the service; default: PAYLINK_URL, else the last one, else ${defaultUrl}`,
    },
    {
      name: 'email',
      value: 'EMAIL',
      help: 'the email address of the account; default: PAYLINK_EMAIL, else the last one',
    },
    { name: 'service-key', help: 'store a service key instead of the login of an account' },
    modeOption("the mode of the API key to store; default: the company's setting"),
    profileOption,
  ],
  examples: [
    'login --url http://localhost:3000 --email owner@example.com',
    'login --profile shop --url https://pay.example.com',
    'login --service-key --url https://pay.example.com',
  ],
  run: async (context, given) => {
    if (given.has('service-key')) return await logInWithKey(context, given);
    const { terminal, env } = context;
    const profile = profileName(env, given.text('profile'));
    const before = await readProfile(env, profile);
    const url = chooseUrl(env, given, before);
    const stored = accountOf(before);
    const email = await readEmail(context, given.text('email'), stored?.email);
    const isSame = stored?.url === url && stored.email === email;
    const apiKey = env.PAYLINK_API_KEY || (isSame ? stored.apiKey : undefined);
    const wanted = { url, email, mode: modeOf(given), apiKey };
    const session = await logIn({ ...wanted, password: await readPassword(context, email) });
    await saveProfile(env, profile, session);
    const { accountId, roles, companyId, expiresAt, mode } = session;
    terminal.report({
      json: { profile, url, email: session.email, accountId, roles, companyId, mode, expiresAt },
      lines: [
        `Logged in at ${url} as ${session.email} (${roles.join(', ')}) of ${companyId}, in ${mode} mode, until ${expiresAt}.`,
      ],
    });
    return exitCodes.ok;
  },
};

const logout: Command = {
  name: 'logout',
  summary: 'Log out, and delete the stored login',
  options: [profileOption],
  examples: ['logout', 'logout --profile shop'],
  run: async (context, given) => {
    const { terminal, env } = context;
    const profile = profileName(env, given.text('profile'));
    const stored = await readProfile(env, profile);
    if (!stored)
      throw new CommandError(exitCodes.notLoggedIn, `You are not logged in under the profile "${profile}".`);
    if ('serviceKey' in stored) {
      await deleteProfile(env, profile);
      terminal.note('The service key stays valid until you revoke it.');
      terminal.report({ json: { profile, ended: false }, lines: [`Logged out of ${stored.url}.`] });
      return exitCodes.ok;
    }
    // The stored login is deleted even if the service does not respond.
    const isEnded = await endSession(context, given);
    await deleteProfile(env, profile);
    if (!isEnded)
      terminal.note('The service could not be reached: the token remains valid until it expires.');
    terminal.report({ json: { profile, ended: isEnded }, lines: [`Logged out of ${stored.url}.`] });
    return exitCodes.ok;
  },
};

const endSession = async (...[context, given]: Parameters<Command['run']>): Promise<boolean> => {
  try {
    const client = await openClient(context, given);
    await client.me.logOut();
    return true;
  } catch (error) {
    const reported = toCommandError(error);
    if (!(reported instanceof CommandError)) throw error;
    return reported.exitCode === exitCodes.notLoggedIn;
  }
};

export const loginCommands: readonly Command[] = [login, logout];
