// `paylink login` and `paylink logout`. The password is asked for without an echo, or read where no
// person is; it must never be an option, which every user of the machine could see.

import { logIn, openClient, toCommandError } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, exitCodes, usageError } from './fault.ts';
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
    throw usageError('There is no password: set PAYLINK_PASSWORD, or write it to standard input.');
  return password;
}

async function readEmail(
  { terminal, env }: CommandContext,
  given: string | undefined,
  kept: string | undefined,
) {
  const email = given ?? (env.PAYLINK_EMAIL || kept);
  if (email) return email;
  if (terminal.isInteractive) return await terminal.ask('E-mail: ');
  throw usageError('--email is required where nobody can be asked.');
}

const login: Command = {
  name: 'login',
  summary: 'Log in, and keep the login for the commands that follow',
  details:
    'The password is asked for. Where no person is, it is PAYLINK_PASSWORD or the first line of standard input.\n' +
    'Address, token and API key are kept in $XDG_CONFIG_HOME/paylink/credentials.json, for you alone to read.',
  options: [
    {
      name: 'url',
      value: 'URL',
      help: `where the service is; PAYLINK_URL, else the last one, else ${defaultUrl}`,
    },
    { name: 'email', value: 'EMAIL', help: 'the address of the account; PAYLINK_EMAIL, else the last one' },
    modeOption('which API key to keep; without it, as the company has set'),
    profileOption,
  ],
  examples: [
    'login --url http://localhost:3000 --email owner@example.com',
    'login --profile shop --url https://pay.example.com',
  ],
  run: async (context, given) => {
    const { terminal, env } = context;
    const profile = profileName(env, given.text('profile'));
    const kept = await readProfile(env, profile);
    const url = readUrl(given.text('url') ?? (env.PAYLINK_URL || kept?.url || defaultUrl));
    const email = await readEmail(context, given.text('email'), kept?.email);
    const isSame = kept?.url === url && kept.email === email;
    const apiKey = env.PAYLINK_API_KEY || (isSame ? kept.apiKey : undefined);
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
  summary: 'End the login, at the service and here',
  options: [profileOption],
  examples: ['logout', 'logout --profile shop'],
  run: async (context, given) => {
    const { terminal, env } = context;
    const profile = profileName(env, given.text('profile'));
    const kept = await readProfile(env, profile);
    if (!kept)
      throw new CommandError(exitCodes.notLoggedIn, `Nobody is logged in under the profile "${profile}".`);
    // What is forgotten here is gone for this machine, also when the service does not answer.
    const isEnded = await endSession(context, given);
    await deleteProfile(env, profile);
    if (!isEnded)
      terminal.note('The service was not told: there the token stays good until it ends by itself.');
    terminal.report({ json: { profile, ended: isEnded }, lines: [`Logged out of ${kept.url}.`] });
    return exitCodes.ok;
  },
};

const endSession = async (...[context, given]: Parameters<Command['run']>): Promise<boolean> => {
  try {
    const client = await openClient(context, given);
    await client.me.logOut();
    return true;
  } catch (error) {
    const told = toCommandError(error);
    if (!(told instanceof CommandError)) throw error;
    return told.exitCode === exitCodes.notLoggedIn;
  }
};

export const loginCommands: readonly Command[] = [login, logout];
