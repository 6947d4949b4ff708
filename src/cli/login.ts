// `paylink login` and `paylink logout`. Must not: take a password as an option, which others could see.

import { logIn, openClient, toCommandError } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import {
  defaultUrl,
  deleteProfile,
  modeOf,
  modeOption,
  profileName,
  profileOption,
  readProfile,
  readUrl,
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

const login: Command = {
  name: 'login',
  summary: 'Log in, and store the login for later commands',
  details:
    'Prompts for the password. Without a terminal, reads it from PAYLINK_PASSWORD or the first line of standard input.\n' +
    'Stores address, token and API key in $XDG_CONFIG_HOME/paylink/credentials.json, which only you can read.',
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
    modeOption("the mode of the API key to store; default: the company's setting"),
    profileOption,
  ],
  examples: [
    'login --url http://localhost:3000 --email owner@example.com',
    'login --profile shop --url https://pay.example.com',
  ],
  run: async (context, given) => {
    const { terminal, env } = context;
    const profile = profileName(env, given.text('profile'));
    const stored = await readProfile(env, profile);
    const url = readUrl(given.text('url') ?? (env.PAYLINK_URL || stored?.url || defaultUrl));
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
