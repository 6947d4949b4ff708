// Asks for the credentials of a connection: of a person without an echo, else from the environment or standard input.
// A secret must never be an option, which every user of the machine could see, and is never printed.

import type { ProcessorInfo } from '../../sdk/src/index.ts';
import type { CommandContext, OptionSpec } from './command.ts';
import { usageError } from './fault.ts';
import { stripControlCharacters } from './terminal.ts';

type CredentialFieldInfo = ProcessorInfo['fields'][number];

/** The option for what is no secret. */
export const setOption: OptionSpec = {
  name: 'set',
  value: 'NAME=VALUE',
  help: 'a credential that is no secret',
  isRepeatable: true,
};

/** How the commands that ask for credentials tell where else they are taken from. */
export const credentialSourcesHelp =
  'Where no person is, they are lines of NAME=VALUE in PAYLINK_CREDENTIALS, else on standard input.';

function readPair(pair: string, where: string): readonly [name: string, value: string] {
  const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? [];
  // What does not pass is not repeated: it may be a secret.
  if (name === undefined || value === undefined) throw usageError(`${where} must be like NAME=VALUE.`);
  return [name, value.trim()];
}

/** Pairs of `--set`. Throws a usage fault for a secret: it stands in the list of processes already. */
export function parseSetOptions(
  pairs: readonly string[],
  fields: readonly CredentialFieldInfo[],
): Record<string, string> {
  const given = Object.fromEntries(pairs.map((pair) => readPair(pair, '--set')));
  const secret = fields.find(({ name, isSecret }) => isSecret && Object.hasOwn(given, name));
  if (!secret) return given;
  throw usageError(
    `${secret.name} is a secret, and others on this machine can see options: it is asked for instead.\n` +
      `Replace it at the processor, as it may have been seen. ${credentialSourcesHelp}`,
  );
}

/** Lines of NAME=VALUE, of these fields and no others. */
function readLines(text: string, fields: readonly CredentialFieldInfo[]): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => readPair(line, 'Each line of credentials'));
  for (const [name] of pairs)
    if (!fields.some((field) => field.name === name))
      throw usageError(
        `"${stripControlCharacters(name)}" is not asked for; ${fields.map((field) => field.name).join(', ')} would be.`,
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
    const question = `${stripControlCharacters(label)}${isRequired ? '' : ' (may be left empty)'}: `;
    const response = (await terminal.ask(question, { isSecret })).trim();
    if (response !== '') responses[name] = response;
  }
  return responses;
}

/** The values of fields, as far as they were given. Throws a usage fault for a line that is none of them. */
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
