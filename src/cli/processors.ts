// `paylink processors …`. Must not: print a credential, or take a secret as an option.

import type { ProcessorConnection, ProcessorInfo } from '../../sdk/src/index.ts';
import { currencies, isCurrency } from '../base/money.ts';
import { type CliClient, type ClientCall, type CommandResult, clientCommand } from './client.ts';
import { type Command, fieldsOf, type OptionSpec, type ParsedArguments, readCount } from './command.ts';
import { usageError } from './command-error.ts';
import { credentialSourcesHelp, parseSetOptions, readCredentials, setOption } from './credentials.ts';
import { type Column, formatFields, formatTable } from './table.ts';
import { stripControlCharacters } from './terminal.ts';

const connectionId = { name: 'CONNECTION_ID', help: 'the ID of the connection, con_…' };
const exampleId = 'con_3f7k2m9qyt5wp0hyx8c4bn2d';

const fieldOptions: readonly OptionSpec[] = [
  { name: 'name', value: 'NAME', help: 'a name that your team sees' },
  {
    name: 'currency',
    value: 'CODE',
    help: 'a currency that customers can pay in',
    isRepeatable: true,
    choices: currencies,
  },
  {
    name: 'position',
    value: 'NUMBER',
    help: 'the position on the payment page, 0 to 1000; the lowest is first',
  },
];

/** The fields of a connection besides its credentials. */
function readFields(given: ParsedArguments) {
  const position = readCount(given, 'position', { min: 0, max: 1000 });
  const offered = given.texts('currency').filter(isCurrency);
  return {
    ...fieldsOf(given, { name: 'name' }),
    ...(position === undefined ? {} : { position }),
    ...(offered.length === 0 ? {} : { currencies: offered }),
  };
}

/** A processor by its name. Throws a usage error that lists the existing ones. */
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

const connectionColumns: readonly Column<ProcessorConnection>[] = [
  { title: 'CONNECTION_ID', text: ({ id }) => id },
  { title: 'PROCESSOR', text: ({ processor }) => processor },
  { title: 'NAME', isShrinkable: true, text: ({ name }) => name },
  { title: 'HOLDER', isShrinkable: true, text: ({ holder }) => holder },
  { title: 'MODE', text: ({ mode }) => mode },
  { title: 'CURRENCIES', text: (connection) => connection.currencies.join(' ') },
  { title: 'STATE', text: stateOf },
];

const presentConnections = async (
  data: readonly ProcessorConnection[],
  { terminal }: ClientCall,
): Promise<CommandResult> => ({
  json: { data },
  lines: await formatTable(data, connectionColumns, terminal.width),
});

const list = clientCommand({
  name: 'processors list',
  summary: 'List the connections with processors, in the order of the payment page',
  details: 'It shows the connections of the mode of the login.',
  examples: ['processors list'],
  run: async (call) => await presentConnections(await call.client.processors.listConnections(), call),
});

function describeField({ name, isSecret, isRequired }: ProcessorInfo['fields'][number]): string {
  const traits = [...(isSecret ? ['secret'] : []), ...(isRequired ? [] : ['optional'])];
  return traits.length > 0 ? `${name} (${traits.join(', ')})` : name;
}

const kindColumns: readonly Column<ProcessorInfo>[] = [
  { title: 'PROCESSOR', text: ({ processor }) => processor },
  { title: 'TITLE', text: ({ title }) => title },
  { title: 'TAKES', text: ({ takes }) => takes },
  { title: 'MODES', text: ({ modes }) => modes.join(' ') },
  { title: 'CURRENCIES', text: (info) => info.currencies.join(' ') },
  { title: 'NEEDS', isShrinkable: true, text: ({ fields }) => fields.map(describeField).join(', ') },
];

const kinds = clientCommand({
  name: 'processors kinds',
  summary: 'List the supported processors and the credentials that each needs',
  examples: ['processors kinds', 'processors kinds --json'],
  run: async ({ client, terminal }) => {
    const data = await client.processors.list();
    return { json: { data }, lines: await formatTable(data, kindColumns, terminal.width) };
  },
});

async function presentConnection(connection: ProcessorConnection): Promise<CommandResult> {
  const { id, title, holder, mode, name, position, webhookUrl } = connection;
  const lines = await formatFields([
    ['Connection', id],
    ['Processor', title],
    ['Holder', holder],
    ['Mode', mode],
    ['Name', name],
    ['Currencies', connection.currencies.join(' ')],
    ['Position', position],
    ['State', stateOf(connection)],
    ...connection.credentials.map(({ name: field, isSecret, isSet, value }) => {
      const shown = isSet && isSecret ? 'set (not shown)' : (value ?? 'not set');
      return [field, shown] as const;
    }),
    ['Webhooks', webhookUrl],
  ]);
  return { json: connection, lines };
}

const connect = clientCommand({
  name: 'processors connect',
  summary: 'Connect the company with a processor, which verifies the credentials',
  details:
    `The connection has the mode of the login. It prompts for the credentials.\n${credentialSourcesHelp}\n` +
    'If the processor sends webhooks, it prints the URL to enter there.',
  arguments: [{ name: 'PROCESSOR', help: 'a name from "processors kinds"' }],
  options: [...fieldOptions, { name: 'off', help: 'do not offer it to customers yet' }, setOption],
  examples: ['processors connect sandbox --currency EUR --position 1'],
  check: (given) => void readFields(given),
  run: async (call) => {
    const { client, given } = call;
    const info = await findInfo(client, given.argument('PROCESSOR'));
    const set = parseSetOptions(given.texts('set'), info.fields);
    const missing = info.fields.filter(({ name }) => !Object.hasOwn(set, name));
    const connection = await client.processors.connect({
      processor: info.processor,
      ...readFields(given),
      ...(given.has('off') ? { enabled: false } : {}),
      credentials: { ...set, ...(await readCredentials(call, missing)) },
    });
    const { webhookUrl, title } = connection;
    const notes = webhookUrl ? [`Enter this webhook URL at ${title}: ${webhookUrl}`] : [];
    return { ...(await presentConnection(connection)), notes };
  },
});

/** The credentials that a change replaces: those of `--set`, and those that `--ask` names. */
async function readNewCredentials(call: ClientCall): Promise<{ credentials?: Record<string, string> }> {
  const { client, given } = call;
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
  return { credentials: { ...parseSetOptions(set, fields), ...(await readCredentials(call, asked)) } };
}

function checkChange(given: ParsedArguments): void {
  readFields(given);
  if (given.has('on') && given.has('off')) throw usageError('--on and --off cannot be combined.');
}

const change = clientCommand({
  name: 'processors change',
  summary: 'Change a connection, switch it on or off, or replace credentials',
  details: `Everything else stays the same. It prompts for the credentials that --ask names.\n${credentialSourcesHelp}`,
  arguments: [connectionId],
  options: [
    ...fieldOptions,
    { name: 'on', help: 'offer it to customers' },
    { name: 'off', help: 'do not offer it to customers' },
    { name: 'ask', value: 'NAME', help: 'prompt for a new value of this credential', isRepeatable: true },
    setOption,
  ],
  examples: [`processors change ${exampleId} --off`, `processors change ${exampleId} --ask secretKey`],
  check: checkChange,
  run: async (call) => {
    const { client, given } = call;
    const connection = await client.processors.changeConnection(given.argument('CONNECTION_ID'), {
      ...readFields(given),
      ...(given.has('on') || given.has('off') ? { enabled: given.has('on') } : {}),
      ...(await readNewCredentials(call)),
    });
    return await presentConnection(connection);
  },
});

const check = clientCommand({
  name: 'processors check',
  summary: 'Have the processor verify the credentials of a connection',
  arguments: [connectionId],
  examples: [`processors check ${exampleId}`],
  run: async ({ client, given }) =>
    await presentConnection(await client.processors.checkConnection(given.argument('CONNECTION_ID'))),
});

const order = clientCommand({
  name: 'processors order',
  summary: 'Set the order of the connections on the payment page',
  arguments: [
    { name: 'CONNECTION_IDS', help: 'all connections of the mode in their order, separated by commas' },
  ],
  examples: [`processors order ${exampleId},con_3f7k2m9qe8zr1w5s6v0xg4ta`],
  run: async (call) => {
    const ids = call.given.argument('CONNECTION_IDS').split(',').filter(Boolean);
    return await presentConnections(await call.client.processors.orderConnections(ids), call);
  },
});

const remove = clientCommand({
  name: 'processors remove',
  summary: 'Delete a connection and its credentials',
  details:
    'Payments that were made through it can no longer be refunded. Usually you switch it off instead, with\n' +
    '"processors change --off".',
  arguments: [connectionId],
  examples: [`processors remove ${exampleId}`],
  run: async ({ client, given }) => {
    const removed = await client.processors.removeConnection(given.argument('CONNECTION_ID'));
    return {
      json: removed,
      lines: [`Deleted the connection ${removed.connectionId} with ${removed.title}.`],
    };
  },
});

export const processorCommands: readonly Command[] = [list, kinds, connect, change, check, order, remove];
