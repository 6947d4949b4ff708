// `paylink keys …`: the API keys of the company. A key is shown where it is made and never again.

import type { NewApiKey } from '../../sdk/src/index.ts';
import { collect, openClient } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { exitCodes, usageError } from './fault.ts';
import { modeOf, modeOption, profileOption } from './session.ts';
import { formatTable } from './table.ts';
import { stripControlCharacters } from './terminal.ts';

const mostKeys = 1000;

const keyId = { name: 'KEY_ID', help: 'the id of the key, not the key itself', isRequired: true } as const;

const list: Command = {
  name: 'keys list',
  summary: 'List the API keys',
  options: [profileOption],
  examples: ['keys list'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const page = await collect((page) => client.apiKeys.list(page).page(), { most: mostKeys });
    const rows = page.data.map((key) => [
      key.keyId,
      key.name ?? '',
      key.mode,
      key.status,
      key.createdAt,
      key.expiresAt ?? '',
    ]);
    const columns = [
      { title: 'KEY_ID' },
      { title: 'NAME', mayShrink: true },
      { title: 'MODE' },
      { title: 'STATUS' },
      { title: 'CREATED' },
      { title: 'EXPIRES' },
    ];
    context.terminal.report({ json: page, lines: await formatTable(columns, rows, context.terminal.width) });
    return exitCodes.ok;
  },
};

/** The key alone on standard output, so that it can be piped to where it is kept. */
function printNewKey({ terminal }: CommandContext, created: NewApiKey, sentence: string) {
  terminal.report({ json: created, lines: [created.key] });
  if (!terminal.isJson) terminal.note(stripControlCharacters(sentence));
  return exitCodes.ok;
}

const create: Command = {
  name: 'keys create',
  summary: 'Make an API key; it is printed this once',
  options: [
    { name: 'name', value: 'NAME', help: 'what it is for' },
    modeOption('test or live; without it, that of the key of the login'),
    profileOption,
  ],
  examples: ['keys create --name checkout', 'keys create --mode live'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const name = given.text('name');
    const mode = modeOf(given);
    const created = await client.apiKeys.create({
      ...(name === undefined ? {} : { name }),
      ...(mode === undefined ? {} : { mode }),
    });
    return printNewKey(context, created, `The key ${created.keyId} was made. It is not shown again.`);
  },
};

const roll: Command = {
  name: 'keys roll',
  summary: 'Replace an API key by a new one; the old one stays good for a while',
  arguments: [keyId],
  options: [
    { name: 'overlap', value: 'HOURS', help: 'how long the old one stays good, 0 to 168; 24 without it' },
    profileOption,
  ],
  examples: ['keys roll yt5wp0hyk3m9q2a7 --overlap 48'],
  run: async (context, given) => {
    const overlap = given.text('overlap');
    if (overlap !== undefined && !/^\d{1,3}$/.test(overlap))
      throw usageError(`--overlap must be whole hours from 0 to 168, not "${overlap}".`);
    const client = await openClient(context, given);
    const old = given.argument('KEY_ID');
    const created = await client.apiKeys.roll(
      old,
      overlap === undefined ? {} : { overlapHours: Number(overlap) },
    );
    return printNewKey(
      context,
      created,
      `The key ${created.keyId} takes the place of ${old}. Log in anew before that one ends.`,
    );
  },
};

const revoke: Command = {
  name: 'keys revoke',
  summary: 'Refuse an API key from now on',
  arguments: [keyId],
  options: [profileOption],
  examples: ['keys revoke yt5wp0hyk3m9q2a7'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const id = given.argument('KEY_ID');
    const revoked = await client.apiKeys.revoke(id);
    context.terminal.report({
      json: revoked,
      lines: [stripControlCharacters(`The key ${id} is revoked.`)],
    });
    return exitCodes.ok;
  },
};

export const keyCommands: readonly Command[] = [list, create, roll, revoke];
