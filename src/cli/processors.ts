// `paylink processors …`: the company's accounts with processors, each command a call of the public API. It must never
// print a credential, nor take a secret as an option.

import type { ProcessorConnection, ProcessorInfo } from '../../sdk/src/index.ts';
import { currencies, isCurrency } from '../base/money.ts';
import { type CliClient, openClient } from './client.ts';
import type { Command, CommandContext, OptionSpec, ParsedArguments } from './command.ts';
import { credentialSourcesHelp, parseSetOptions, readCredentials, setOption } from './credentials.ts';
import { type ExitCode, exitCodes, usageError } from './fault.ts';
import { profileOption } from './session.ts';
import { formatFields, formatTable } from './table.ts';
import { stripControlCharacters } from './terminal.ts';

const connectionId = {
  name: 'CONNECTION_ID',
  help: 'the id of the connection, con_…',
  isRequired: true,
} as const;

const nameOption: OptionSpec = { name: 'name', value: 'NAME', help: 'what your own people call it' };
const currencyOption: OptionSpec = {
  name: 'currency',
  value: 'CODE',
  help: 'a currency that customers are offered it in',
  isRepeatable: true,
  choices: currencies,
};
const positionOption: OptionSpec = {
  name: 'position',
  value: 'NUMBER',
  help: 'where it stands among what customers are offered, 0 to 1000; the least first',
};

/** What the options say of a connection besides its credentials. */
function readFields(given: ParsedArguments) {
  const name = given.text('name');
  const position = given.text('position');
  const offered = given.texts('currency').filter(isCurrency);
  if (position !== undefined && !/^\d{1,4}$/.test(position))
    throw usageError(`--position must be a whole number from 0 to 1000, not "${position}".`);
  return {
    ...(name === undefined ? {} : { name }),
    ...(position === undefined ? {} : { position: Number(position) }),
    ...(offered.length === 0 ? {} : { currencies: offered }),
  };
}

/** A processor by its name. Throws a usage fault that lists those there are. */
async function findInfo(client: CliClient, name: string): Promise<ProcessorInfo> {
  const all = await client.processors.list();
  const info = all.find(({ processor }) => processor === name);
  if (info) return info;
  const names = all.map(({ processor }) => processor).join(', ');
  throw usageError(`There is no processor "${stripControlCharacters(name)}". There are: ${names}.`);
}

const stateOf = ({ enabled, health }: ProcessorConnection): string => {
  if (!enabled) return 'off';
  return health.isUp ? 'on' : 'down';
};

async function tableOf(connections: readonly ProcessorConnection[], width: number): Promise<string[]> {
  const columns = [
    { title: 'CONNECTION_ID' },
    { title: 'PROCESSOR' },
    { title: 'NAME', mayShrink: true },
    { title: 'HOLDER', mayShrink: true },
    { title: 'MODE' },
    { title: 'CURRENCIES' },
    { title: 'STATE' },
  ];
  const rows = connections.map((one) => [
    one.id,
    one.processor,
    one.name,
    one.holder,
    one.mode,
    one.currencies.join(' '),
    stateOf(one),
  ]);
  return await formatTable(columns, rows, width);
}

const list: Command = {
  name: 'processors list',
  summary: 'List the connections with processors, in the order in which customers are offered them',
  details: 'It shows those of the mode of the API key of the login.',
  options: [profileOption],
  examples: ['processors list'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const data = await client.processors.listConnections();
    context.terminal.report({ json: { data }, lines: await tableOf(data, context.terminal.width) });
    return exitCodes.ok;
  },
};

function describeField({ name, isSecret, isRequired }: ProcessorInfo['fields'][number]): string {
  const traits = [...(isSecret ? ['secret'] : []), ...(isRequired ? [] : ['optional'])];
  return traits.length > 0 ? `${name} (${traits.join(', ')})` : name;
}

const describeFields = ({ fields }: ProcessorInfo) => fields.map(describeField).join(', ');

const kinds: Command = {
  name: 'processors kinds',
  summary: 'List the processors there are, and what a connection with each needs',
  options: [profileOption],
  examples: ['processors kinds', 'processors kinds --json'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const data = await client.processors.list();
    const rows = data.map((info) => [
      info.processor,
      info.title,
      info.takes,
      info.modes.join(' '),
      info.currencies.join(' '),
      describeFields(info),
    ]);
    const columns = ['PROCESSOR', 'TITLE', 'TAKES', 'MODES', 'CURRENCIES'].map((title) => ({ title }));
    const lines = await formatTable(
      [...columns, { title: 'NEEDS', mayShrink: true }],
      rows,
      context.terminal.width,
    );
    context.terminal.report({ json: { data }, lines });
    return exitCodes.ok;
  },
};

/** A connection, and for people what is to be done with it at the processor. */
async function printConnection(
  { terminal }: CommandContext,
  connection: ProcessorConnection,
): Promise<ExitCode> {
  const { id, title, holder, mode, name, position, webhookUrl } = connection;
  const fields = await formatFields([
    ['Connection', id],
    ['Processor', title],
    ['Holder', holder],
    ['Mode', mode],
    ['Name', name],
    ['Currencies', connection.currencies.join(' ')],
    ['Position', String(position)],
    ['State', stateOf(connection)],
    ...connection.credentials.map(({ name: field, isSecret, isSet, value }) => {
      const shown = isSet && isSecret ? 'set, and not shown' : (value ?? 'not set');
      return [field, shown] as const;
    }),
    ...(webhookUrl ? [['Webhooks', webhookUrl] as const] : []),
  ]);
  terminal.report({ json: connection, lines: fields });
  return exitCodes.ok;
}

const connect: Command = {
  name: 'processors connect',
  summary: 'Connect the company with a processor, which is asked whether the credentials hold',
  details:
    `In the mode of the API key of the login. The credentials are asked for.\n${credentialSourcesHelp}\n` +
    'Where the processor sends webhooks, the address to enter there is printed.',
  arguments: [{ name: 'PROCESSOR', help: 'a name of "processors kinds"', isRequired: true }],
  options: [
    nameOption,
    currencyOption,
    positionOption,
    { name: 'off', help: 'do not offer it to customers yet' },
    setOption,
    profileOption,
  ],
  examples: ['processors connect sandbox --currency EUR --position 1'],
  run: async (context, given) => {
    const fields = readFields(given);
    const client = await openClient(context, given);
    const info = await findInfo(client, given.argument('PROCESSOR'));
    const set = parseSetOptions(given.texts('set'), info.fields);
    const asked = info.fields.filter(({ name }) => !Object.hasOwn(set, name));
    const credentials = { ...set, ...(await readCredentials(context, asked)) };
    const connection = await client.processors.connect({
      processor: info.processor,
      ...fields,
      ...(given.has('off') ? { enabled: false } : {}),
      credentials,
    });
    const { webhookUrl, title } = connection;
    if (webhookUrl && !context.terminal.isJson)
      context.terminal.note(
        stripControlCharacters(`Enter this address at ${title} for its webhooks: ${webhookUrl}`),
      );
    return await printConnection(context, connection);
  },
};

/** The credentials that a change replaces: those that are set, and those whose names are to be asked for. */
async function readReplaced(
  context: CommandContext,
  client: CliClient,
  given: ParsedArguments,
): Promise<{ credentials?: Record<string, string> }> {
  const [set, wanted] = [given.texts('set'), given.texts('ask')];
  if (set.length + wanted.length === 0) return {};
  const { processor } = await client.processors.getConnection(given.argument('CONNECTION_ID'));
  const { fields } = await findInfo(client, processor);
  const asked = wanted.map((name) => {
    const field = fields.find((one) => one.name === name);
    if (field) return field;
    const names = fields.map((one) => one.name).join(', ') || 'nothing';
    throw usageError(
      `There is no credential "${stripControlCharacters(name)}". This processor needs ${names}.`,
    );
  });
  return { credentials: { ...parseSetOptions(set, fields), ...(await readCredentials(context, asked)) } };
}

const change: Command = {
  name: 'processors change',
  summary: 'Change a connection, switch it on or off, or replace credentials',
  details: `What is not named stays. Credentials that "--ask" names are asked for.\n${credentialSourcesHelp}`,
  arguments: [connectionId],
  options: [
    nameOption,
    currencyOption,
    positionOption,
    { name: 'on', help: 'offer it to customers' },
    { name: 'off', help: 'do not offer it to customers' },
    { name: 'ask', value: 'NAME', help: 'ask for this credential anew', isRepeatable: true },
    setOption,
    profileOption,
  ],
  examples: [
    'processors change con_3f7k2m9qyt5wp0hyx8c4bn2d --off',
    'processors change con_3f7k2m9qyt5wp0hyx8c4bn2d --ask secretKey',
  ],
  run: async (context, given) => {
    const fields = readFields(given);
    if (given.has('on') && given.has('off')) throw usageError('--on and --off cannot both be.');
    const client = await openClient(context, given);
    const replaced = await readReplaced(context, client, given);
    const connection = await client.processors.changeConnection(given.argument('CONNECTION_ID'), {
      ...fields,
      ...(given.has('on') || given.has('off') ? { enabled: given.has('on') } : {}),
      ...replaced,
    });
    return await printConnection(context, connection);
  },
};

const check: Command = {
  name: 'processors check',
  summary: 'Ask the processor whether the credentials of a connection still hold',
  arguments: [connectionId],
  options: [profileOption],
  examples: ['processors check con_3f7k2m9qyt5wp0hyx8c4bn2d'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    return await printConnection(
      context,
      await client.processors.checkConnection(given.argument('CONNECTION_ID')),
    );
  },
};

const order: Command = {
  name: 'processors order',
  summary: 'Put the connections into the order in which customers are offered them',
  arguments: [
    {
      name: 'CONNECTION_IDS',
      help: 'all of the mode, the first one first, with commas between them',
      isRequired: true,
    },
  ],
  options: [profileOption],
  examples: ['processors order con_3f7k2m9qyt5wp0hyx8c4bn2d,con_3f7k2m9qe8zr1w5s6v0xg4ta'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const ids = given.argument('CONNECTION_IDS').split(',').filter(Boolean);
    const data = await client.processors.orderConnections(ids);
    context.terminal.report({ json: { data }, lines: await tableOf(data, context.terminal.width) });
    return exitCodes.ok;
  },
};

const remove: Command = {
  name: 'processors remove',
  summary: 'Delete a connection and forget its credentials',
  details:
    'Payments that were made through it cannot be refunded any more: "processors change --off" is the usual way.',
  arguments: [connectionId],
  options: [profileOption],
  examples: ['processors remove con_3f7k2m9qyt5wp0hyx8c4bn2d'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const removed = await client.processors.removeConnection(given.argument('CONNECTION_ID'));
    context.terminal.report({
      json: removed,
      lines: [stripControlCharacters(`The connection ${removed.id} with ${removed.title} is deleted.`)],
    });
    return exitCodes.ok;
  },
};

export const processorCommands: readonly Command[] = [list, kinds, connect, change, check, order, remove];
