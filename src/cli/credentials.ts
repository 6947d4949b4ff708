// Reads the credentials of a connection: by prompts without an echo, or from the environment or standard input. Must
// not: take a secret as an option, which other users of the machine could see, or print one.

import type { ProcessorInfo } from '../../sdk/src/index.ts';
import type { CommandContext, OptionSpec } from './command.ts';
import { usageError } from './command-error.ts';
import { stripControlCharacters } from './terminal.ts';

type CredentialFieldInfo = ProcessorInfo['fields'][number];

/** The option for credentials that are not secret. */
export const setOption: OptionSpec = {
  name: 'set',
  value: 'NAME=VALUE',
  help: 'a credential that is not secret',
  isRepeatable: true,
};

export const credentialSourcesHelp =
  'Without a terminal, it reads lines of NAME=VALUE from PAYLINK_CREDENTIALS, else from standard input.';

function readPair(pair: string, where: string): readonly [name: string, value: string] {
  const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? [];
  // The message does not repeat the invalid text: it may be a secret.
  if (name === undefined || value === undefined) throw usageError(`${where} must have the form NAME=VALUE.`);
  return [name, value.trim()];
}

/** The pairs of `--set`. Throws a usage error for a secret, which other users may have seen. */
export function parseSetOptions(
  pairs: readonly string[],
  fields: readonly CredentialFieldInfo[],
): Record<string, string> {
  const given = Object.fromEntries(pairs.map((pair) => readPair(pair, '--set')));
  const secret = fields.find(({ name, isSecret }) => isSecret && Object.hasOwn(given, name));
  if (!secret) return given;
  throw usageError(
    `${secret.name} is a secret, and other users of this machine can see options. Replace it at the processor,\n` +
      `and leave the option out: the command prompts for it. ${credentialSourcesHelp}`,
  );
}

/** Lines of NAME=VALUE. Throws a usage error for an unknown name. */
function readLines(text: string, fields: readonly CredentialFieldInfo[]): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => readPair(line, 'Each line of credentials'));
  for (const [name] of pairs)
    if (!fields.some((field) => field.name === name))
      throw usageError(
        `"${stripControlCharacters(name)}" is not expected. Expected: ${fields.map((field) => field.name).join(', ')}.`,
      );
  return Object.fromEntries(pairs);
}

async function askPerson(
  { terminal }: CommandContext,
  fields: readonly CredentialFieldInfo[],
): Promise<Record<string, string>> {
  const responses: Record<string, string> = {};
  for (const { name, label, help, isSecret, isRequired } of fields) {
    terminal.note(stripControlCharacters(help));
    const question = `${stripControlCharacters(label)}${isRequired ? '' : ' (optional)'}: `;
    const response = (await terminal.ask(question, { isSecret })).trim();
    if (response !== '') responses[name] = response;
  }
  return responses;
}

/** The given values of the fields. Throws a usage error for an unknown name. */
export async function readCredentials(
  context: CommandContext,
  fields: readonly CredentialFieldInfo[],
): Promise<Record<string, string>> {
  const { terminal, env } = context;
  if (fields.length === 0) return {};
  if (env.PAYLINK_CREDENTIALS) return readLines(env.PAYLINK_CREDENTIALS, fields);
  return terminal.isInteractive
    ? await askPerson(context, fields)
    : readLines(await terminal.readAll(), fields);
}
