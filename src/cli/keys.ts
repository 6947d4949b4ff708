// `paylink keys …`: the API keys of the company. A key is printed once, when it is created.

import type { ApiKey, NewApiKey } from '../../sdk/src/index.ts';
import { type CommandResult, clientCommand, collect } from './client.ts';
import { type Command, fieldsOf, type ParsedArguments, readCount } from './command.ts';
import { modeOf, modeOption } from './session.ts';
import { type Column, formatTable } from './table.ts';

const maxKeys = 1000;

const keyId = { name: 'KEY_ID', help: 'the ID of the key, not the key itself' };

const columns: readonly Column<ApiKey>[] = [
  { title: 'KEY_ID', text: (key) => key.keyId },
  { title: 'NAME', isShrinkable: true, text: ({ name }) => name ?? '' },
  { title: 'MODE', text: ({ mode }) => mode },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'CREATED', text: ({ createdAt }) => createdAt },
  { title: 'EXPIRES', text: ({ expiresAt }) => expiresAt ?? '' },
];

/** Prints only the key on standard output, so that it can be piped. */
const newKey = (created: NewApiKey, note: string): CommandResult => ({
  json: created,
  lines: [created.key],
  notes: [note],
});

const readOverlap = (given: ParsedArguments) => readCount(given, 'overlap', { min: 0, max: 168 });

export const keyCommands: readonly Command[] = [
  clientCommand({
    name: 'keys list',
    summary: 'List the API keys',
    examples: ['keys list'],
    run: async ({ client, terminal }) => {
      const page = await collect((page) => client.apiKeys.list(page).page(), { max: maxKeys });
      return { json: page, lines: await formatTable(page.data, columns, terminal.width) };
    },
  }),
  clientCommand({
    name: 'keys create',
    summary: 'Create an API key and print it; it is not shown again',
    options: [
      { name: 'name', value: 'NAME', help: 'a name for your own use' },
      modeOption('test or live; default: the mode of the login'),
    ],
    examples: ['keys create --name checkout', 'keys create --mode live'],
    run: async ({ client, given }) => {
      const mode = modeOf(given);
      const created = await client.apiKeys.create({
        ...fieldsOf(given, { name: 'name' }),
        ...(mode === undefined ? {} : { mode }),
      });
      return newKey(created, `Created the key ${created.keyId}. It is not shown again.`);
    },
  }),
  clientCommand({
    name: 'keys roll',
    summary: 'Replace an API key with a new one; the old one remains valid for a while',
    arguments: [keyId],
    options: [
      { name: 'overlap', value: 'HOURS', help: 'how long the old one remains valid, 0 to 168; default: 24' },
    ],
    examples: ['keys roll yt5wp0hyk3m9q2a7 --overlap 48'],
    check: readOverlap,
    run: async ({ client, given }) => {
      const old = given.argument('KEY_ID');
      const overlapHours = readOverlap(given);
      const created = await client.apiKeys.roll(old, overlapHours === undefined ? {} : { overlapHours });
      return newKey(
        created,
        `The key ${created.keyId} replaces ${old}. Log in again before the old key expires.`,
      );
    },
  }),
  clientCommand({
    name: 'keys revoke',
    summary: 'Revoke an API key; the service rejects it from now on',
    arguments: [keyId],
    examples: ['keys revoke yt5wp0hyk3m9q2a7'],
    run: async ({ client, given }) => {
      const id = given.argument('KEY_ID');
      return { json: await client.apiKeys.revoke(id), lines: [`Revoked the key ${id}.`] };
    },
  }),
];
